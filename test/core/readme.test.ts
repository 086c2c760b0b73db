import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import test from 'ava';
import { nodeIsUsable } from '#launch/runtime.mjs';
import { allRoutes } from '../../api/domains.js';
import { Client } from './client.js';
import { commandsIn, helpPages } from './help-commands.js';
import { ROOT_TOKEN, startService } from './processes.js';

const readme = readFileSync('README.md', 'utf8');

// Contract: interface-4.0.1, interface-5.1.1
test('the calls of the README lead from nothing to a fired pipeline', async (t) => {
  const service = await startService(t);
  const shell = promisify(execFile);
  const run = async (command: string) => {
    const { stdout } = await shell('sh', ['-c', command], {
      env: { ...process.env, CAPSTAN: service.url, TOKEN: ROOT_TOKEN },
      timeout: 60_000,
    });
    return JSON.parse(stdout);
  };
  const [start, tests, exports, project, schedule, play, pipelines, ...more] = commandsIn(readme) as string[];
  t.deepEqual(more, []);
  t.deepEqual([start, tests], ['npm start', 'npm test']);
  t.is(exports, 'export CAPSTAN=http://127.0.0.1:8080\nexport TOKEN=the-token-that-was-shown');
  t.is((await run(project as string)).path_with_namespace, 'root/rocket');
  t.is((await run(schedule as string)).cron, '* * * * *');
  t.deepEqual(await run(play as string), { message: '201 Created' });
  // At once, as who copies one after the other: the command itself waits.
  const [fired] = await run(pipelines as string);
  t.is(fired.source, 'scheduled');
});

test('an executor reports on the protected branch of a new project as a Maintainer, as the help says', async (t) => {
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
  t.regex(
    helpPages.get('pipelines') ?? '',
    /The default branch of a new project is protected: unless its rule says\s+otherwise, that role is Maintainer/,
  );
});

test('each command takes the address from $CAPSTAN, and what is not served is said before installing', (t) => {
  for (const [name, text] of [['README.md', readme] as const, ...helpPages]) {
    for (const command of commandsIn(text).filter((each) => each.includes('curl')))
      t.regex(command, /"\$CAPSTAN\//, name);
    t.notRegex(text, /plan=(free|premium)/, name);
  }
  for (const text of [readme, helpPages.get('install') ?? ''])
    t.is(text.split('http://127.0.0.1:8080').length - 1, 1, 'where it is exported');
  const before = readme.slice(0, readme.indexOf('npm start'));
  for (const missing of ['artifacts', 'SSH', 'LFS', 'webhooks', 'releases', 'mail'])
    t.true(before.includes(missing), missing);
});

test('the README is one screen, with one picture', (t) => {
  t.true(readme.split('\n').length <= 61);
  t.is([...readme.matchAll(/!\[/g)].length, 1);
});

test('what is said to be not available yet is not served', (t) => {
  const served = allRoutes.map((route) => route.path);
  for (const missing of ['/releases', '/hooks', '/artifacts', '/trigger', '/uploads', '/lfs', '/packages/npm'])
    t.deepEqual(
      served.filter((path) => path.includes(missing)),
      [],
    );
});

test('every script that the README, the guide and the help name is there, and each file that they name', (t) => {
  const guide = [readFileSync('.github/CONTRIBUTING.md', 'utf8'), ...helpPages.values()].join('\n');
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
  for (const text of [readme, helpPages.get('install') ?? '']) t.true(text.includes(`Node must be ${oldest} or newer`));
});
