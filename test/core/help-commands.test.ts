import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { commandsIn, helpPages } from './help-commands.js';
import { ROOT_TOKEN, startService } from './processes.js';

// A process of its own: starts a service, and waits for what it does.

/** What test/core/launch/help-commands.test.ts runs, and what begins a service or its tests. */
const isLocal = (command: string) => /^(?:npm|tar|export) /.test(command);

/** Each call fails where its answer is an error. */
const STRICT = 'set -e; curl() { command curl --fail-with-body --silent --show-error "$@"; }';

// Contract: help.commands
test('every command of the help runs, page by page, against a new service', async (t) => {
  t.timeout(240_000);
  const service = await startService(t);
  const directory = await mkdtemp(path.join(tmpdir(), 'capstan-help-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const env = { ...process.env, CAPSTAN: service.url, TOKEN: ROOT_TOKEN };
  const outputs = new Map<string, string>();
  for (const [page, text] of helpPages)
    for (const command of commandsIn(text).filter((each) => !isLocal(each))) {
      const { stdout } = await promisify(execFile)('sh', ['-c', `${STRICT}\n${command}`], {
        env,
        cwd: directory,
        timeout: 60_000,
        encoding: 'buffer',
      }).catch((error: Error & { stdout: Buffer; stderr: Buffer }) => {
        throw new Error(`${page}: ${command}\n${String(error.stdout)}\n${String(error.stderr)}`, { cause: error });
      });
      outputs.set(`${page}: ${command}`, stdout.toString());
    }
  t.true(outputs.size > 30, `${outputs.size}`);
  const output = (page: string, part: string) =>
    JSON.parse([...outputs].find(([command]) => command.startsWith(`${page}: `) && command.includes(part))?.[1] ?? '');
  t.is(output('install', '/user"').username, 'root');
  t.is(output('install', '/projects"').path_with_namespace, 'root/rocket');
  const settings = output('instance-settings', 'notes_create_limit');
  t.is(settings.notes_create_limit, 100);
  t.is(settings.plan, 'ultimate', 'nothing that is served is lost by copying a line');
  t.true(existsSync(path.join(directory, 'rocket', 'README.md')));
  t.is(output('schedules', 'Nightly').cron_timezone, 'Europe/Berlin');
  t.deepEqual(output('schedules', '/play"'), { message: '201 Created' });
  t.like(output('pipelines', 'state=running'), { status: 'running', name: 'build' });
  const done = output('pipelines', 'state=success');
  t.like(done, { status: 'success', name: 'build' });
  t.is((await service.root.get(`/projects/root%2Frocket/pipelines/${done.pipeline_id}`)).body.status, 'success');
  t.is(outputs.get(`packages: ${commandsIn(helpPages.get('packages') ?? '')[1]}`), 'Hello\n');
  t.is((await service.root.get('/projects/root%2Frocket-copy/repository/branches/main')).status, 200);
  t.is(output('api', 'compatibility_prefix').compatibility_prefix, 'gitlab');
  const { body } = await service.root.graphql('{ currentUser { id } }');
  t.is(body.data.currentUser.id, 'gid://gitlab/User/1');
});
