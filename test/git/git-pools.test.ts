import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { ClientGone, Overloaded } from '../../shared/core/values/errors.js';
import { GitPools, gitStarts, GitTimeout, openBlob, readBlob } from '../../shared/git/index.js';
import type { GitLimits, GitStart, OpenRepository } from '../../shared/git/index.js';
import { SlotPool } from '../../shared/git/process-slots.js';
import type { PoolLimits } from '../../shared/git/process-slots.js';
import { scanGit } from '../../shared/git/run.js';
import { commitOn, emptyRepository, file, plainGit } from './git-fixture.js';

const LIMITS: PoolLimits = { concurrency: 4, perCaller: 2, perProject: 3, waiting: 6, waitMs: 60_000, runMs: null };

/** A pool, a function that takes slots from it by name, and the names in the order in which they got one. */
function makePool(limits: Partial<PoolLimits>) {
  const pool = new SlotPool({ ...LIMITS, ...limits });
  const granted: string[] = [];
  const take = async (name: string, caller = name[0]!, project = caller, signal?: AbortSignal) => {
    const release = await pool.take({ caller, project }, signal);
    granted.push(name);
    return release;
  };
  return { pool, granted, take };
}

/** Lets everything that is ready to proceed do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one caller or one repository can hold only some of the slots', async (t) => {
  const { pool, granted, take } = makePool({});
  const first = await take('a1');
  await take('a2');
  void take('a3');
  const second = await take('b1', 'b', 'a');
  const waiting = take('c1', 'c', 'a');
  await take('d1');
  await settled();
  t.deepEqual(granted, ['a1', 'a2', 'b1', 'd1']);
  t.deepEqual(pool.load, { running: 4, waiting: 2 });
  first();
  first();
  await settled();
  t.deepEqual(granted.slice(4), ['a3'], 'releasing a slot twice frees only one');
  second();
  await waiting;
});

test('waiting callers take turns, however many slots each of them requests', async (t) => {
  const { granted, take } = makePool({ concurrency: 1, perCaller: 1, perProject: 1, waiting: 10 });
  const releases = [take('x')];
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) releases.push(take(name));
  for (const release of releases) {
    await settled();
    const index = releases.indexOf(release);
    const order = ['x', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'];
    t.is(granted.at(-1), order[index]);
    const names = ['x', 'a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
    (await releases[names.indexOf(order[index]!)]!)();
  }
});

test('a full queue refuses the newest request of the caller with the most waiting requests', async (t) => {
  const { pool, take } = makePool({ concurrency: 1, waiting: 3 });
  const release = await take('x');
  const waiting = ['a1', 'a2', 'a3'].map((name) => take(name));
  const overloaded = { instanceOf: Overloaded };
  const tooMany = take('a4');
  await t.throwsAsync(tooMany, overloaded);
  const other = take('b1');
  await t.throwsAsync(waiting[2]!, overloaded);
  t.is((await t.throwsAsync(take('a5'), overloaded))!.retryAfterSeconds, 5);
  t.deepEqual(pool.load, { running: 1, waiting: 3 });
  release();
  (await waiting[0]!)();
  (await other)();
  (await waiting[1]!)();
  t.deepEqual(pool.load, { running: 0, waiting: 0 });
});

test('a request that waits too long is refused, and one whose client disconnects leaves the queue', async (t) => {
  const { pool, take } = makePool({ concurrency: 1, waitMs: 20 });
  const release = await take('x');
  await t.throwsAsync(take('a'), { instanceOf: Overloaded });
  const controller = new AbortController();
  const gone = take('b', 'b', 'b', controller.signal);
  controller.abort();
  await t.throwsAsync(gone, { instanceOf: ClientGone });
  await t.throwsAsync(take('b', 'b', 'b', controller.signal), { instanceOf: ClientGone });
  t.deepEqual(pool.load, { running: 1, waiting: 0 });
  release();
  (await take('c'))();
  t.is(pool.load.running, 0);
});

function open(path: string, limits: GitLimits = {}, signal?: AbortSignal): OpenRepository {
  return { path, caller: 'somebody', pools: new GitPools(limits), ...(signal ? { signal } : {}) };
}

/** The next process that is started for this repository. */
function nextStart(t: ExecutionContext, path: string): Promise<GitStart> {
  return new Promise((resolve) => {
    const onStart = (start: unknown) => {
      if ((start as GitStart).repository !== path) return;
      gitStarts.unsubscribe(onStart);
      resolve(start as GitStart);
    };
    gitStarts.subscribe(onStart);
    t.teardown(() => gitStarts.unsubscribe(onStart));
  });
}

/** A command that blocks until the test writes to a named pipe. */
function blockingCommand(path: string): string[] {
  const pipe = join(path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return ['hash-object', pipe];
}

test('work that takes too long is stopped: a request is told when to retry, a job gets a timeout error', async (t) => {
  const path = await emptyRepository(t);
  const repository = open(path, { pools: { long: { runMs: 20 } } });
  const pool = repository.pools.pool('long');
  const blocking = blockingCommand(path);
  const late = await t.throwsAsync(
    scanGit(repository, blocking, () => {}, { pool: 'long' }),
    { instanceOf: Overloaded },
  );
  t.is(late!.retryAfterSeconds, 5);
  t.deepEqual(pool.load, { running: 0, waiting: 0 });
  await t.throwsAsync(
    scanGit(path, blocking, () => {}, { pool: 'long', timeoutMs: 20 }),
    { instanceOf: GitTimeout },
  );
});

test('when a client disconnects, its process is stopped, unless it is writing', async (t) => {
  const path = await emptyRepository(t);
  const controller = new AbortController();
  const repository = open(path, { pools: { write: { runMs: 300 } } }, controller.signal);
  const started = nextStart(t, path);
  const blocking = blockingCommand(path);
  const reading = scanGit(repository, blocking, () => {});
  const writing = scanGit(repository, blocking, () => {}, { pool: 'write' });
  // On a slow machine the write may time out before the test awaits it.
  writing.catch(() => undefined);
  await started;
  controller.abort();
  await t.throwsAsync(reading, { instanceOf: ClientGone });
  t.is(repository.pools.pool('short').load.running, 0);
  await t.throwsAsync(writing, { instanceOf: Overloaded }, 'only its own time limit stops it');
});

const LARGE_BYTES = 20 * 1024 * 1024;

/** A repository with one large file, stored in a pack so that git reads it from there. */
async function packedFile(t: ExecutionContext): Promise<{ path: string; id: string }> {
  const path = await emptyRepository(t);
  // Random bytes cannot be compressed.
  const content = randomBytes(LARGE_BYTES);
  const id = plainGit(path, ['hash-object', '-w', '--stdin'], content).trim();
  plainGit(path, ['pack-objects', '-q', `${path}/objects/pack/pack`], `${id}\n`);
  plainGit(path, ['prune-packed', '-q']);
  return { path, id };
}

/** Memory that belongs to a process alone, in bytes; null if it cannot be determined. */
function anonymousMemory(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
  } catch {
    return null;
  }
}

test('a process that streams a large file keeps almost none of it in memory', async (t) => {
  const { path, id } = await packedFile(t);
  const starts: GitStart[] = [];
  const onStart = (start: unknown) => void ((start as GitStart).repository === path && starts.push(start as GitStart));
  gitStarts.subscribe(onStart);
  t.teardown(() => gitStarts.unsubscribe(onStart));
  const stream = await openBlob(open(path), id, LARGE_BYTES);
  const sending = starts.find(({ pool }) => pool === 'stream');
  const memory = anonymousMemory(sending!.pid!);
  if (memory === null) t.log('no /proc here');
  else t.true(memory < LARGE_BYTES / 3, `${memory} bytes`);
  let size = 0;
  for await (const chunk of stream) size += (chunk as Buffer).length;
  t.is(size, LARGE_BYTES);
});

test('content that git can only load as a whole uses a pool of its own with few slots', async (t) => {
  const path = await emptyRepository(t);
  const half = Buffer.alloc(LARGE_BYTES / 2, 'line of a large file\n');
  const ids = [half, Buffer.concat([half, Buffer.from('more\n')])].map((content) =>
    plainGit(path, ['hash-object', '-w', '--stdin'], content).trim(),
  );
  const packInput = ids.map((id) => `${id} name\n`).join('');
  plainGit(path, ['-c', 'core.bigFileThreshold=1g', 'pack-objects', '-q', `${path}/objects/pack/pack`], packInput);
  plainGit(path, ['prune-packed', '-q']);
  const sizes = new Map([
    [ids[0]!, half.length],
    [ids[1]!, half.length + 5],
  ]);
  const repository = open(path);
  const loads: number[] = [];
  for (const [id, size] of sizes) {
    const stream = await openBlob(repository, id, size);
    loads.push(repository.pools.pool('heavy').load.running);
    stream.destroy();
    await once(stream, 'close');
  }
  t.deepEqual(
    loads.sort((one, other) => one - other),
    [0, 1],
    'one of them is stored as a delta of the other',
  );
});

test('a reader that consumes nothing is cut off, and its slot is released', async (t) => {
  const { path, id } = await packedFile(t);
  const repository = open(path, { stallMs: 30, pools: { stream: { concurrency: 1 } } });
  const stalled = await openBlob(repository, id, LARGE_BYTES);
  const next = openBlob(repository, id, LARGE_BYTES);
  await t.throwsAsync(once(stalled, 'end'), { instanceOf: GitTimeout });
  (await next).destroy();
});

test('a small file is read in a slot of the pool for short work', async (t) => {
  const path = await emptyRepository(t);
  await commitOn(path, null, [file('a', 'x')]);
  const started = nextStart(t, path);
  t.is((await readBlob(open(path), 'main', 'a', 10))!.content.toString(), 'x');
  t.like(await started, { pool: 'short', caller: 'somebody' });
});
