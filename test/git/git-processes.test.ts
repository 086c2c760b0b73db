import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { allRoutes } from '../../api/domains.js';
import { gitStarts } from '../../shared/git/index.js';
import type { GitStart } from '../../shared/git/index.js';
import { getRepositoryPath } from '../../shared/repositories/repositories/write-refs.js';
import { gitStarter } from '../../shared/git/starter.js';
import { useApp } from '../core/app.js';
import { emptyRepository } from './git-fixture.js';
import { Walker, nameOf } from '../core/walk.js';
import { makePeople, Sandbox } from '../core/sandbox.js';
import { sourceFiles } from '../core/source-files.js';

const app = useApp(test);

/** Routes that the walk must find to start git: were it none, the walk would show nothing. */
const READS_GIT = ['branches', 'tags', 'commits', 'tree', 'files', 'jobs'];

/** Starts of git on repositories below a path, as they happen. */
function startsBelow(t: ExecutionContext, folder: string): GitStart[] {
  const starts: GitStart[] = [];
  const hear = (start: unknown) => {
    if ((start as GitStart).repository?.startsWith(folder)) starts.push(start as GitStart);
  };
  gitStarts.subscribe(hear);
  t.teardown(() => gitStarts.unsubscribe(hear));
  return starts;
}

test.serial('who is not signed in has slots by address', async (t) => {
  const { id } = await app.build.project({ visibility: 'public' });
  const starts = startsBelow(t, getRepositoryPath(app.context(), { id }));
  t.is((await app.anonymous.get(`/projects/${id}/repository/tree`)).status, 200);
  t.deepEqual(
    starts.map(({ pool, caller }) => [pool, caller.replace(/[\d.:a-f]+$/, '')]),
    [['short', 'address ']],
  );
});

// Contract: delivery-5a.load
test.serial('what a route starts of git has a slot of its caller', async (t) => {
  t.timeout(300_000);
  const people = await makePeople(app);
  const walker = new Walker(() => Sandbox.make(app, people));
  const starts = startsBelow(t, app.services.config.dataDir);
  const started = new Set<string>();
  for (const route of allRoutes.filter(({ path: below }) => below.startsWith('/projects/:id/'))) {
    const request = await walker.example(route);
    starts.length = 0;
    await walker.send(app.as(people.admin), request);
    for (const { pool: slot, caller, command } of starts) {
      started.add(route.path.replace(/^.*\/(\w+)(\/:.*)?$/, '$1').replace(/raw|blame/, 'files'));
      t.is(caller, `user ${people.admin.id}`, `${nameOf(route)} starts git ${command} in ${slot}`);
      t.not(slot, 'background', nameOf(route));
    }
  }
  for (const area of READS_GIT) t.true(started.has(area), area);
});

/** What starts processes: git's by its starter, and those that run isolated jobs. */
const STARTERS = [
  'shared/git/starter-process.ts',
  'shared/git/starter.ts',
  'workers/instance/queue-jobs/job-process.ts',
];
/** What knows how to start git: it, and those who take the slot. */
const WITH_SLOT = [
  'shared/git/archive.ts',
  'shared/git/push/incoming-pack.ts',
  'shared/git/raw-diff.ts',
  'shared/git/run.ts',
  'shared/git/start.ts',
  'shared/git/stream.ts',
  'shared/git/transfer.ts',
];

test('one module starts processes, and only for those that take a slot', (t) => {
  // The launcher starts the service itself, and is none of its processes; nor is the runner.
  const files = sourceFiles('api', 'shared', 'workers').filter((file) => !/^shared\/(?:launch|runner)\//.test(file));
  const having = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8')));
  t.true(files.length > 300);
  t.deepEqual(having(/from '(node:)?child_process'/).toSorted(), STARTERS);
  t.deepEqual(having(/\bstartGit\b/), WITH_SLOT);
  t.deepEqual(having(/\bstartBeside\b/), ['shared/git/start.ts', 'shared/git/starter.ts']);
  const outside = having(/core\/git\/(?!index\.js)[\w-]+\.js'/).filter((file) => !file.startsWith('shared/git/'));
  t.deepEqual(outside, [], 'areas know git by its index');
});

/** A git process of a separate starter, waiting for input that never arrives, and the starter's pid. */
async function waitingGit(t: ExecutionContext) {
  const repository = await emptyRepository(t);
  const start = gitStarter();
  const pipe = path.join(repository, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const env = { PATH: process.env.PATH };
  const child = await start({ args: [`--git-dir=${repository}`, 'hash-object', pipe], env, niceness: 1 });
  await once(child, 'spawn');
  const parent = Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]);
  const version = async () => {
    const other = await start({ args: ['hash-object', '--stdin'], env, niceness: 1, input: 'text' });
    const pieces: Buffer[] = [];
    other.output.on('data', (piece: Buffer) => pieces.push(piece));
    const [exitCode] = await once(other, 'close');
    return [exitCode, Buffer.concat(pieces).toString().trim()];
  };
  t.teardown(() => process.kill(child.pid!, 'SIGKILL'));
  return { child, parent, version };
}

test('the process that starts git makes its socket elsewhere where the folder for temporary files is not for it', async (t) => {
  const child = fork(path.resolve('dist/shared/git/starter-process.js'), {
    env: { ...process.env, TMPDIR: '/nonexistent' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const [{ address }] = (await once(child, 'message')) as [{ address: string }];
  t.true(existsSync(address));
  const gone = once(child, 'exit');
  child.disconnect();
  await gone;
  t.false(existsSync(path.dirname(address)));
});

test('git is started by a process beside, which is replaced when it is killed', async (t) => {
  const { child, parent, version } = await waitingGit(t);
  t.not(parent, process.pid);
  const before = await version();
  t.is(before[0], 0);
  t.regex(String(before[1]), /^[0-9a-f]{40}$/);
  const closed = once(child, 'close');
  process.kill(parent, 'SIGKILL');
  child.output.destroy();
  t.deepEqual(await closed, [null], 'it counts as failed');
  t.deepEqual(await version(), before);
});
