import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { nodeIsUsable } from '#launch/runtime.mjs';
import { allRoutes } from '../../api/domains.js';
import { loadConfig } from '../../shared/core/values/config.js';
import { Client } from './client.js';
import { ROOT_TOKEN, startService } from './processes.js';

const readme = readFileSync('README.md', 'utf8');

/** The shell commands of a section, verbatim. */
function commandsOf(heading: string): string[] {
  const section = readme.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => (command as string).trim());
}

// Contract: interface-4.0.1, interface-5.1.1
test('the calls of the README lead from nothing to a fired pipeline, and an executor takes it', async (t) => {
  const service = await startService(t);
  const shell = promisify(execFile);
  const run = async (command: string) => {
    const { stdout } = await shell('sh', ['-c', command], {
      env: { ...process.env, CAPSTAN: service.url, TOKEN: ROOT_TOKEN },
      timeout: 60_000,
    });
    return JSON.parse(stdout);
  };
  const [exports, who, project, schedule, play, pipelines, ...more] = commandsOf(
    'From nothing to a fired pipeline',
  ) as string[];
  t.deepEqual(more, []);
  t.is(exports, 'export CAPSTAN=http://127.0.0.1:8080\nexport TOKEN=the-token-that-was-shown');
  t.is((await run(who as string)).username, 'root');
  t.is((await run(project as string)).path_with_namespace, 'root/rocket');
  t.is((await run(schedule as string)).cron, '* * * * *');
  t.deepEqual(await run(play as string), { message: '201 Created' });
  // At once, as who copies one after the other: the command itself waits.
  const [fired] = await run(pipelines as string);
  t.is(fired.source, 'scheduled');

  const [waiting, begin, end, jobs, ...others] = commandsOf('A pipeline is a record') as string[];
  t.deepEqual(others, []);
  // The schedule may fire by itself meanwhile: the report is for the newest of the commit.
  t.like((await run(waiting as string)).at(-1), { id: fired.id, status: 'pending' });
  const running = await run(begin as string);
  t.like(running, { status: 'running', name: 'build', sha: fired.sha });
  const done = await run(end as string);
  t.like(done, { id: running.id, status: 'success' });
  t.is((await service.root.get(`/projects/root%2Frocket/pipelines/${done.pipeline_id}`)).body.status, 'success');
  t.like(
    (await run(jobs as string)).find(({ id }: { id: number }) => id === done.id),
    {
      name: 'build',
      status: 'success',
    },
  );
});

test('the settings that the README reads and writes are read and written, and its clone clones', async (t) => {
  const service = await startService(t, { workers: 0 });
  const env = { ...process.env, CAPSTAN: service.url, TOKEN: ROOT_TOKEN };
  const run = async (command: string, cwd?: string) =>
    (await promisify(execFile)('sh', ['-c', command], { env, cwd, timeout: 60_000 })).stdout;
  const [read, write, prefix, ...more] = commandsOf('Settings') as string[];
  t.deepEqual(more, []);
  t.is(JSON.parse(await run(read as string)).plan, 'ultimate');
  const written = JSON.parse(await run(write as string));
  t.is(written.notes_create_limit, 100);
  t.is(written.plan, 'ultimate', 'nothing that is served is lost by copying a line');
  t.is(JSON.parse(await run(prefix as string)).compatibility_prefix, 'gitlab');
  const { body } = await service.root.graphql('{ currentUser { id } }');
  t.is(body.data.currentUser.id, 'gid://gitlab/User/1');
  t.is((await service.root.post('/projects', { name: 'Rocket', initialize_with_readme: true })).status, 201);
  const clone = /`(git clone [^`]+)`/.exec(readme)?.[1] as string;
  const directory = await mkdtemp(path.join(tmpdir(), 'capstan-readme-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await run(clone, directory);
  t.true(existsSync(path.join(directory, 'rocket', 'README.md')));
});

test('an executor reports on the protected branch of a new project as a Maintainer, as the README says', async (t) => {
  const service = await startService(t, { workers: 0 });
  const { root } = service;
  const { id } = (await root.post('/projects', { name: 'Rocket', initialize_with_readme: true })).body;
  const account = {
    username: 'executor',
    name: 'Executor',
    email: 'executor@example.com',
    password: 'long enough 42!',
  };
  const user = (await root.post('/users', account)).body;
  const response = await root.post(`/users/${user.id}/personal_access_tokens`, { name: 'executor', scopes: ['api'] });
  const executor = new Client(service.url, { 'PRIVATE-TOKEN': response.body.token });
  const report = async () =>
    (await executor.post(`/projects/${id}/statuses/main`, { state: 'success', name: 'build' })).status;
  await root.post(`/projects/${id}/members`, { user_id: user.id, access_level: 30 });
  t.is(await report(), 403);
  await root.put(`/projects/${id}/members/${user.id}`, { access_level: 40 });
  t.is(await report(), 201);
  t.regex(readme, /For a protected branch, as the default branch of a new project is, it needs .*: Maintainer/);
});

test('each command of the README takes the address from $CAPSTAN, and what is not served is told before installing', (t) => {
  const commands = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command as string);
  const addressed = commands.filter((command) => command.includes('curl'));
  t.true(addressed.length > 10);
  for (const command of addressed) t.regex(command, /"\$CAPSTAN\//);
  t.is(readme.split('http://127.0.0.1:8080').length - 1, 1, 'where it is exported');
  t.notRegex(readme, /plan=(free|premium)/);
  const before = readme.slice(0, readme.indexOf('npm start'));
  for (const missing of ['runners', 'SSH', 'LFS', 'webhooks', 'releases', 'mail'])
    t.true(before.includes(missing), missing);
});

/** The paths in the table of the README with this heading. */
function pathsOf(heading: string): string[] {
  const table = readme.slice(readme.indexOf(`| ${heading} |`)).split('\n\n')[0] as string;
  return [...table.matchAll(/`(\/[^`]+)`/g)].map(([, path]) => path as string);
}

test('what the README says that works is served, and what it says is planned is not yet', (t) => {
  const served = new Set(allRoutes.map((route) => route.path));
  const working = pathsOf('What works').filter((path) => path !== '/api/graphql' && !path.startsWith('/-/'));
  t.true(working.length > 10);
  t.deepEqual(
    working.filter((path) => !served.has(path)),
    [],
  );
  const planned = pathsOf('Planned');
  t.true(readme.includes('| Planned |'));
  t.deepEqual(
    planned.filter((path) => served.has(path)),
    [],
    'these are served: move their row up',
  );
});

test('every script that the README and the guide name is there, and each file that they name', (t) => {
  const guide = readFileSync('.github/CONTRIBUTING.md', 'utf8');
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  for (const [, name] of `${readme}${guide}`.matchAll(/npm run (?:--silent )?([\w:-]+)/g))
    t.true(Object.hasOwn(scripts, name as string), name);
  const matches = [...`${readme}${guide}`.matchAll(/`((?:api|shared|workers|test|migrations)\/[\w./-]*)`/g)];
  const there = matches.map(([, file]) => file as string).filter((file) => !/environment|projects\.test/.test(file));
  t.true(there.length > 5);
  for (const file of there) t.true(existsSync(file), file);
  t.regex(readme, /\(\.github\/CONTRIBUTING\.md\)/);
});

test('package.json names the Node that runs the service, as the launcher does', async (t) => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
  const oldest = engines.node.replace('>=', '');
  const [major, minor] = oldest.split('.').map(Number) as [number, number];
  t.true(nodeIsUsable(`${oldest}.0`));
  t.true(nodeIsUsable(process.versions.node));
  t.false(nodeIsUsable(`${major}.${minor - 1}.9`));
  t.true(readme.includes(`Node must be ${oldest} or newer`));
});

test('the README names every setting with its default', (t) => {
  const config = loadConfig({ DATABASE_URL: 'postgres://127.0.0.1/x', SECRET_KEY_BASE: 'x'.repeat(32) });
  const rows = new Map(
    [...readme.matchAll(/^\| `([A-Z_]+)` \| `?([^`|]*?)`? \|/gm)].map(([, name, fallback]) => [name, fallback]),
  );
  t.is(rows.get('HOST'), config.host);
  t.is(Number(rows.get('PORT')), config.port);
  t.is(Number(rows.get('WORKERS')), config.workers);
  t.is(rows.get('LOG_LEVEL'), config.logLevel);
  t.is(rows.get('API_VERSION'), config.apiVersion);
  for (const name of [
    'EXTERNAL_URL',
    'DRAIN_SECONDS',
    'WORKER_METRICS_PORT',
    'WORKER_METRICS_HOST',
    'DATA_DIR',
    'DATABASE_URL',
    'SECRET_KEY_BASE',
    'INITIAL_ROOT_TOKEN',
    'INITIAL_ROOT_PASSWORD',
  ])
    t.true(rows.has(name), name);
});
