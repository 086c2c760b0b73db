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

const LIMITS: PoolLimits = { atOnce: 4, perCaller: 2, perProject: 3, waiting: 6, waitMs: 60_000, runMs: null };

/** Takes slots by name, and writes down who got one. */
function takers(limits: Partial<PoolLimits>) {
  const pool = new SlotPool({ ...LIMITS, ...limits });
  const got: string[] = [];
  const take = async (name: string, caller = name[0]!, project = caller, signal?: AbortSignal) => {
    const release = await pool.take({ caller, project }, signal);
    got.push(name);
    return release;
  };
  return { pool, got, take };
}

/** Lets everything that can go on now do so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one caller, and one repository, hold only a part of the slots', async (t) => {
  const { pool, got, take } = takers({});
  const first = await take('a1');
  await take('a2');
  void take('a3');
  const second = await take('b1', 'b', 'a');
  const waiting = take('c1', 'c', 'a');
  await take('d1');
  await settled();
  t.deepEqual(got, ['a1', 'a2', 'b1', 'd1']);
  t.deepEqual(pool.load, { running: 4, waiting: 2 });
  first();
  first();
  await settled();
  t.deepEqual(got.slice(4), ['a3'], 'a slot given back twice is one slot');
  second();
  await waiting;
});

test('those who wait take turns by caller, however much each of them asks for', async (t) => {
  const { got, take } = takers({ atOnce: 1, perCaller: 1, perProject: 1, waiting: 10 });
  const releases = [take('x')];
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) releases.push(take(name));
  for (const release of releases) {
    await settled();
    const index = releases.indexOf(release);
    const order = ['x', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'];
    t.is(got.at(-1), order[index]);
    const names = ['x', 'a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'];
    (await releases[names.indexOf(order[index]!)]!)();
  }
});

test('a full queue refuses the last of whoever waits most often', async (t) => {
  const { pool, take } = takers({ atOnce: 1, waiting: 3 });
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

test('who waits too long is refused, and who goes away is forgotten', async (t) => {
  const { pool, take } = takers({ atOnce: 1, waitMs: 20 });
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

/** The process that is started for this repository next. */
function nextStart(t: ExecutionContext, path: string): Promise<GitStart> {
  return new Promise((resolve) => {
    const hear = (start: unknown) => {
      if ((start as GitStart).repository !== path) return;
      gitStarts.unsubscribe(hear);
      resolve(start as GitStart);
    };
    gitStarts.subscribe(hear);
    t.teardown(() => gitStarts.unsubscribe(hear));
  });
}

/** A command that blocks until the test writes to a named pipe. */
function waits(path: string): string[] {
  const pipe = join(path, 'pipe');
  execFileSync('mkfifo', [pipe]);
  return ['hash-object', pipe];
}

test('work that takes too long is ended: a request is told to come back, a job to say so', async (t) => {
  const path = await emptyRepository(t);
  const repository = open(path, { pools: { long: { runMs: 20 } } });
  const pool = repository.pools.pool('long');
  const endless = waits(path);
  const late = await t.throwsAsync(
    scanGit(repository, endless, () => {}, { pool: 'long' }),
    { instanceOf: Overloaded },
  );
  t.is(late!.retryAfterSeconds, 5);
  t.deepEqual(pool.load, { running: 0, waiting: 0 });
  await t.throwsAsync(
    scanGit(path, endless, () => {}, { pool: 'long', timeoutMs: 20 }),
    { instanceOf: GitTimeout },
  );
});

test('a client that goes away ends its process, unless that writes', async (t) => {
  const path = await emptyRepository(t);
  const controller = new AbortController();
  const repository = open(path, { pools: { write: { runMs: 300 } } }, controller.signal);
  const started = nextStart(t, path);
  const endless = waits(path);
  const reading = scanGit(repository, endless, () => {});
  const writing = scanGit(repository, endless, () => {}, { pool: 'write' });
  // On a slow machine it may time out before the test awaits it.
  writing.catch(() => undefined);
  await started;
  controller.abort();
  await t.throwsAsync(reading, { instanceOf: ClientGone });
  t.is(repository.pools.pool('short').load.running, 0);
  await t.throwsAsync(writing, { instanceOf: Overloaded }, 'only its own time limit ends it');
});

const LARGE = 20 * 1024 * 1024;

/** A repository with one large file in a pack, where git reads it from. */
async function packedFile(t: ExecutionContext): Promise<{ path: string; id: string }> {
  const path = await emptyRepository(t);
  // What deflate makes nothing of.
  const content = randomBytes(LARGE);
  const id = plainGit(path, ['hash-object', '-w', '--stdin'], content).trim();
  plainGit(path, ['pack-objects', '-q', `${path}/objects/pack/pack`], `${id}\n`);
  plainGit(path, ['prune-packed', '-q']);
  return { path, id };
}

/** Memory of a process that is its own, in bytes. */
function ownMemory(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024;
  } catch {
    return null;
  }
}

test('a process that sends a large file holds next to nothing of it', async (t) => {
  const { path, id } = await packedFile(t);
  const starts: GitStart[] = [];
  const hear = (start: unknown) => void ((start as GitStart).repository === path && starts.push(start as GitStart));
  gitStarts.subscribe(hear);
  t.teardown(() => gitStarts.unsubscribe(hear));
  const stream = await openBlob(open(path), id, LARGE);
  const sending = starts.find(({ pool }) => pool === 'stream');
  const memory = ownMemory(sending!.pid!);
  if (memory === null) t.log('no /proc here');
  else t.true(memory < LARGE / 3, `${memory} bytes`);
  let size = 0;
  for await (const chunk of stream) size += (chunk as Buffer).length;
  t.is(size, LARGE);
});

test('what git can only hold as a whole has few slots of its own', async (t) => {
  const path = await emptyRepository(t);
  const half = Buffer.alloc(LARGE / 2, 'line of a large file\n');
  const ids = [half, Buffer.concat([half, Buffer.from('more\n')])].map((content) =>
    plainGit(path, ['hash-object', '-w', '--stdin'], content).trim(),
  );
  const names = ids.map((id) => `${id} name\n`).join('');
  plainGit(path, ['-c', 'core.bigFileThreshold=1g', 'pack-objects', '-q', `${path}/objects/pack/pack`], names);
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
    'one of them is stored as a change of the other',
  );
});

test('a reader that takes nothing is cut off, and its slot is free again', async (t) => {
  const { path, id } = await packedFile(t);
  const repository = open(path, { stallMs: 30, pools: { stream: { atOnce: 1 } } });
  const stalled = await openBlob(repository, id, LARGE);
  const next = openBlob(repository, id, LARGE);
  await t.throwsAsync(once(stalled, 'end'), { instanceOf: GitTimeout });
  (await next).destroy();
});

test('a small file is read in a slot for short work', async (t) => {
  const path = await emptyRepository(t);
  await commitOn(path, null, [file('a', 'x')]);
  const started = nextStart(t, path);
  t.is((await readBlob(open(path), 'main', 'a', 10))!.content.toString(), 'x');
  t.like(await started, { pool: 'short', caller: 'somebody' });
});
