import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { gitStarts } from '../../../shared/git/index.js';
import type { GitStart } from '../../../shared/git/index.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { clone, pkt } from './git-client.js';

const app = useApp(test, [], { git: { silenceMs: 1000, pools: { transfer: { perCaller: 2, waiting: 1 } } } });
const MIB = 1024 * 1024;
const MOST_HELD = 16 * MIB;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Collected buffers are freed asynchronously, and counted until then. */
const FREED_AFTER = 20;

/** Bytes of buffers that are held beyond `base`, without those that only wait to be collected. */
async function heldBeyond(base: number): Promise<number> {
  const held = () => process.memoryUsage().arrayBuffers - base;
  for (let turns = 0; turns < FREED_AFTER && held() >= MOST_HELD; turns += 1) {
    collectGarbage();
    await turn();
  }
  return held();
}

/** More than the sockets between processes hold. */
const LARGE = 64 * MIB;

let project: Awaited<ReturnType<typeof app.build.project>>;
let sha: string;

test.serial.before('a project with a large file', async () => {
  project = await app.build.project({ visibility: 'public' });
  const repository = getRepositoryPath(app.context(), project);
  const blob = plainGit(repository, ['hash-object', '-w', '--stdin'], randomBytes(LARGE)).trim();
  const tree = plainGit(repository, ['mktree'], `100644 blob ${blob}\tlarge.bin\n`).trim();
  sha = plainGit(repository, ['commit-tree', tree, '-m', 'Large']).trim();
  plainGit(repository, ['update-ref', 'refs/heads/large', sha]);
});

/** Processes of git that serve, as they start. */
function served(t: ExecutionContext): GitStart[] {
  const starts: GitStart[] = [];
  const hear = (start: unknown) => {
    if ((start as GitStart).command === 'upload-pack') starts.push(start as GitStart);
  };
  gitStarts.subscribe(hear);
  t.teardown(() => gitStarts.unsubscribe(hear));
  return starts;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const transferLoad = () => app.services.git.pool('transfer').load;

async function idle(): Promise<void> {
  while (transferLoad().running > 0) await turn();
}

/** Whether a process still runs. */
function runs(pid: number | undefined): boolean {
  try {
    return process.kill(pid!, 0);
  } catch {
    return false;
  }
}

/** The answer to a clone of the large file, of which nothing is read yet. */
async function unread(): Promise<IncomingMessage> {
  const sent = request(`${app.url}/${project.full_path}.git/git-upload-pack`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-git-upload-pack-request' },
  });
  sent.end(`${pkt(`want ${sha} side-band-64k ofs-delta no-progress\n`)}0000${pkt('done\n')}`);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

// Contract: git-http-7.gone
test.serial('git ends with its client, and what it started with it', async (t) => {
  const starts = served(t);
  const response = await unread();
  t.is(response.statusCode, 200);
  await once(response, 'readable');
  t.true(runs(starts[0]?.pid));
  response.destroy();
  await idle();
  while (runs(starts[0]?.pid)) await turn();
  t.pass();
});

// Contract: git-http-7.silence
test.serial('a reader that takes nothing holds little memory, and is given up', async (t) => {
  const starts = served(t);
  const base = process.memoryUsage().arrayBuffers;
  const response = await unread();
  t.is(response.statusCode, 200);
  let most = 0;
  while (transferLoad().running > 0) {
    most = Math.max(most, await heldBeyond(base));
    await turn();
  }
  t.true(most < MOST_HELD, `${most} bytes are held`);
  let size = 0;
  await t.throwsAsync(
    async () => {
      for await (const chunk of response) size += (chunk as Buffer).length;
    },
    { code: 'ECONNRESET' },
  );
  t.true(size < LARGE);
  while (runs(starts[0]?.pid)) await turn();
});

// Contract: git-http-7.constant
test.serial('a clone passes through in constant memory', async (t) => {
  const base = process.memoryUsage().arrayBuffers;
  const response = await unread();
  let size = 0;
  let most = 0;
  for await (const chunk of response) {
    size += (chunk as Buffer).length;
    most = Math.max(most, await heldBeyond(base));
  }
  t.true(size > LARGE);
  t.true(most < MOST_HELD, `${most} bytes are held`);
});

// Contract: git-http-7.lanes
test.serial('who has all places of a caller waits, and is told when too many wait', async (t) => {
  const held = await Promise.all([unread(), unread()]);
  t.deepEqual(transferLoad(), { running: 2, waiting: 0 });
  const waiting = clone(t, app, project, { options: ['--branch=main', '--single-branch'] });
  while (transferLoad().waiting === 0) await turn();
  const rejection = await app.anonymous.raw('GET', `/${project.full_path}.git/info/refs?service=git-upload-pack`);
  t.deepEqual([rejection.status, rejection.text], [503, 'The service is busy. Try again soon.\n']);
  t.is(rejection.headers.get('retry-after'), '5');
  for (const response of held) response.destroy();
  const { code, stderr } = await waiting;
  t.is(code, 0, stderr);
});

// Contract: git-http-7.gone
test.serial('a client that leaves while it waits leaves its place in the queue', async (t) => {
  const held = await Promise.all([unread(), unread()]);
  const sent = request(`${app.url}/${project.full_path}.git/info/refs?service=git-upload-pack`);
  sent.on('error', () => undefined);
  sent.end();
  while (transferLoad().waiting === 0) await turn();
  sent.destroy();
  while (transferLoad().waiting > 0) await turn();
  for (const response of held) response.destroy();
  await idle();
  t.pass();
});
