import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { createRunningJob } from './running-job.js';
import type { RunningJob } from './running-job.js';

// A long test: a log of 100 MiB is written and read several times.
// A process of its own: memory of the process is measured.

const app = useApp(test);

const MIB = 1024 * 1024;
/** The limit of logs, unless an administrator sets another. */
const PARTS = 100;
const SIZE = PARTS * MIB;
/** What service and client may hold together of a log, wherever they are in it. */
const MOST_HELD = 16 * MIB;
/** Collected buffers are freed asynchronously, and counted until then. */
const FREED_AFTER = 20;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What the process holds in buffers and in its heap. */
function getHeld(): number {
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

/** The most that is held beyond what was held at first, without what only waits to be collected. */
class MemoryWatch {
  readonly #base: number;
  most = 0;

  constructor() {
    collectGarbage();
    this.#base = getHeld();
  }

  async measure(): Promise<void> {
    let held = getHeld() - this.#base;
    for (let turns = 0; turns < FREED_AFTER && held >= MOST_HELD; turns += 1) {
      collectGarbage();
      await turn();
      held = getHeld() - this.#base;
    }
    this.most = Math.max(this.most, held);
  }
}

/** Lines that say where they are, so that nothing can be left out or read twice unnoticed. */
function createPart(index: number): Buffer {
  const lines = Array.from({ length: MIB / 16 }, (_, line) => `${index}.${line}`.padEnd(15, '-'));
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** Bytes of the log from one position to another, both included. */
function createSlice(start: number, end: number): Buffer {
  const first = Math.floor(start / MIB);
  const parts = [];
  for (let index = first; index * MIB <= end; index += 1) parts.push(createPart(index));
  return Buffer.concat(parts).subarray(start - first * MIB, end + 1 - first * MIB);
}

/** The answer to a request of the log, of which nothing is read yet. */
async function open(job: RunningJob, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const sent = request(`${app.url}/api/v4${job.path}/trace`, {
    headers: { 'PRIVATE-TOKEN': job.project.owner.token, ...headers },
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

interface ReadLog {
  bytes: number;
  sha256: string;
  most: number;
}

/** Reads an answer to its end, keeping nothing of it. */
async function readThrough(response: IncomingMessage): Promise<ReadLog> {
  const watch = new MemoryWatch();
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of response) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    await watch.measure();
  }
  return { bytes, sha256: hash.digest('hex'), most: watch.most };
}

async function checkReads(t: ExecutionContext, job: RunningJob, sha256: string, when: string): Promise<void> {
  const whole = await open(job);
  t.deepEqual([whole.statusCode, whole.headers['content-length']], [200, String(SIZE)], when);
  const { most, ...read } = await readThrough(whole);
  t.deepEqual(read, { bytes: SIZE, sha256 }, when);
  t.true(most < MOST_HELD, `${when}, the whole log: ${most} bytes are held`);

  const [start, end] = [17 * MIB + 5, 19 * MIB + 11];
  const across = await job.owner.with({ Range: `bytes=${start}-${end}` }).get(`${job.path}/trace`);
  t.deepEqual([across.status, across.headers.get('content-range')], [206, `bytes ${start}-${end}/${SIZE}`], when);
  t.true(across.text === createSlice(start, end).toString(), `${when}, a range across parts`);

  const large = await readThrough(await open(job, { Range: `bytes=${10 * MIB}-` }));
  t.is(large.bytes, SIZE - 10 * MIB, when);
  t.true(large.most < MOST_HELD, `${when}, a large range: ${large.most} bytes are held`);
  const last = await job.owner.with({ Range: 'bytes=-16' }).get(`${job.path}/trace`);
  t.is(last.text, `${`${PARTS - 1}.${MIB / 16 - 1}`.padEnd(15, '-')}\n`, when);
  t.log(`${when}: ${Math.round(most / MIB)} MiB held at most`);
}

// Contract: ci-job-logs.limit, ci-job-logs.range, ci-job-logs.read
test('vector 54: 100 MiB of log are written and read in constant memory, and one byte more ends the job', async (t) => {
  t.timeout(600_000);
  const job = await createRunningJob(app);
  const hash = createHash('sha256');
  const watch = new MemoryWatch();
  for (let index = 0; index < PARTS; index += 1) {
    const part = createPart(index);
    hash.update(part);
    const { status, headers } = await job.patch(`${index * MIB}-${(index + 1) * MIB - 1}`, part);
    t.deepEqual([status, headers.get('range')], [202, `0-${(index + 1) * MIB}`]);
    await watch.measure();
  }
  t.true(watch.most < MOST_HELD, `written: ${watch.most} bytes are held`);
  const sha256 = hash.digest('hex');
  await checkReads(t, job, sha256, 'while it is written');

  const { status, headers } = await job.patch(`${SIZE}-${SIZE}`, 'x');
  t.deepEqual([status, headers.get('job-status')], [403, 'failed']);
  const [ended] = await app.context().query<object>(sql`select status, failure_reason from jobs where id = ${job.id}`);
  t.deepEqual({ ...ended }, { status: 'failed', failure_reason: 'trace_size_exceeded' });

  const sealing = new MemoryWatch();
  await job.seal();
  await sealing.measure();
  const [stored] = await app.context().query<object>(sql`
    select o.bytes::int, o.sha256, (select count(*)::int from job_log_chunks where job_id = ${job.id}) as chunks
      from job_logs l join stored_objects o on o.id = l.object_id where l.job_id = ${job.id}`);
  t.deepEqual({ ...stored }, { bytes: SIZE, sha256, chunks: 0 });
  await checkReads(t, job, sha256, 'sealed');
});
