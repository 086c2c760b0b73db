import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Transform } from 'node:stream';
import type { Readable, TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ClientGone } from '../../core/values/errors.js';
import { PackRejectedError } from '../errors.js';
import { slotFor } from '../pools.js';
import type { GitSlot } from '../pools.js';
import { timeLimit } from '../run.js';
import { CLOSED, exitError, startError, startGit, stopGit, STREAMED } from '../start.js';
import type { GitProcess } from '../start.js';
import { ByteReader } from './byte-reader.js';
import type { QuarantinedRepository } from './quarantine.js';
import { watchWork } from './work-watch.js';

/** Slips of old programs, which many an old project has in its history and which imports let through too. */
const LET_THROUGH = ['badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedFilemode'];
const ARGS = [
  'index-pack',
  '--stdin',
  '--fix-thin',
  `--strict=${LET_THROUGH.map((slip) => `${slip}=ignore`).join(',')}`,
];

/** What git may take at once: for an object that is held as a whole, or for the list of all of them. */
const MOST_ALLOCATED = '1g';

const HEADER_BYTES = 12;
const DIGEST_BYTES = 20;
/** More objects than any repository has that is pushed in one go. */
const MOST_OBJECTS = 16_000_000;

const MIB = 1024 * 1024;
/**
 * Seconds of a core that git may use for a pack: so many, and so many more for each MiB that came. Histories that are
 * packed as tightly as git can take a tenth of it; a pack made to keep it busy would never end.
 */
const WORK_SECONDS = 10;
const WORK_SECONDS_PER_MIB = 4;

/** Lets a pack through, counted. */
class CountedPack extends Transform {
  bytes = 0;

  /** @param maxBytes 0 is no limit */
  constructor(private readonly maxBytes: number) {
    super({ highWaterMark: 64 * 1024 });
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.maxBytes > 0 && this.bytes > this.maxBytes)
      done(new PackRejectedError(`A push may bring ${this.maxBytes / MIB} MiB at most.`));
    else done(null, chunk);
  }
}

/** The number of objects in a pack according to its header. @throws PackRejectedError */
async function announced(reader: ByteReader): Promise<number> {
  if (!(await reader.has(HEADER_BYTES))) throw new PackRejectedError('The objects did not come.');
  const head = reader.held;
  const version = head.readUInt32BE(4);
  if (head.toString('latin1', 0, 4) !== 'PACK' || (version !== 2 && version !== 3))
    throw new PackRejectedError('What came is no pack of objects.');
  const count = head.readUInt32BE(8);
  if (count > MOST_OBJECTS) throw new PackRejectedError(`A push may bring ${MOST_OBJECTS} objects at most.`);
  return count;
}

/** Whether a pack of no objects is one. */
async function isEmptyPack(reader: ByteReader): Promise<boolean> {
  if (!(await reader.has(HEADER_BYTES + DIGEST_BYTES))) return false;
  const digest = createHash('sha1').update(reader.held.subarray(0, HEADER_BYTES)).digest();
  return digest.equals(reader.held.subarray(HEADER_BYTES, HEADER_BYTES + DIGEST_BYTES));
}

/** git's messages for failures of the disk or the service, not of the received data. */
const OUR_FAULT =
  /No space left|Disk quota|Read-only file system|Input\/output error|Permission denied|unable to (create|write|rename|mkdir)/i;

/** Why git rejected a pack, for the pushing user. */
function parseRejection(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.trim());
  const slip = lines.find((line) => /^error: object [0-9a-f]{40}: /.test(line));
  if (slip) return `git refuses an ${slip.replace(/^error: /, '')}`.slice(0, 300);
  const fatal = lines.find((line) => line.startsWith('fatal: '))?.slice('fatal: '.length);
  return `The pack is not whole, or not right: ${fatal ?? 'git does not take it'}`.slice(0, 300);
}

/** @returns why git, which has exited, rejected a pack; null if it did not */
function getFailure({ path }: GitSlot, exitCode: number | null, child: GitProcess): Error | null {
  if (exitCode === 0) return null;
  const isRejection = exitCode !== null && !OUR_FAULT.test(child.stderr);
  if (!isRejection) return exitError(path, 'index-pack', exitCode, child);
  return new PackRejectedError(parseRejection(child.stderr), /did not receive expected object/.test(child.stderr));
}

/** Feeds git until it has ended. */
async function feed(slot: GitSlot, child: GitProcess, pack: Readable, maxBytes: number): Promise<void> {
  let stopped: Error | undefined;
  const stop = (reason: Error) => {
    stopped ??= reason;
    stopGit(child);
  };
  const gone = () => stop(new ClientGone());
  const exit = Promise.withResolvers<number | null>();
  child.once('error', (error) => exit.reject(startError(error)));
  child.once('close', exit.resolve);
  slot.signal?.addEventListener('abort', gone, { once: true });
  if (slot.signal?.aborted) gone();
  const [timeoutMs, late] = timeLimit(slot, 'index-pack');
  const timer = setTimeout(() => stop(late), timeoutMs);
  let endWatch = () => {};
  // It prints the name of the pack.
  child.output.resume();
  try {
    await Promise.race([once(child, 'spawn'), exit.promise]);
    const counted = new CountedPack(maxBytes);
    const mayUse = () => WORK_SECONDS + (WORK_SECONDS_PER_MIB * counted.bytes) / MIB;
    const tooMuch = () => stop(new PackRejectedError('The pack takes too long to unpack for what it brings.'));
    if (child.pid !== undefined) endWatch = watchWork(child.pid, mayUse, tooMuch);
    pipeline(pack, counted, child.input!).catch((error: NodeJS.ErrnoException) => {
      if (!CLOSED.has(error.code ?? '')) stop(error);
    });
    const exitCode = await exit.promise;
    const failure = stopped ?? getFailure(slot, exitCode, child);
    if (failure) throw failure;
  } finally {
    endWatch();
    clearTimeout(timer);
    slot.signal?.removeEventListener('abort', gone);
  }
}

/**
 * Receives the objects of a push into quarantine. git checks each (`fsck`), and that the objects it references exist.
 * Holds a transfer slot in the meantime; an empty pack, which comes with a ref to an existing object, needs no git
 * process.
 * @param maxBytes of the pack; 0 is no limit
 * @throws PackRejectedError, Overloaded, ClientGone, GitFailed, and errors of the stream
 */
export async function takePack(repository: QuarantinedRepository, pack: Readable, maxBytes: number): Promise<void> {
  const reader = new ByteReader(pack);
  if ((await announced(reader)) === 0 && (await isEmptyPack(reader))) return;
  const rest = reader.rest();
  const slot = slotFor(repository, 'transfer');
  const release = await slot.pool.take(slot.owner, slot.signal);
  try {
    const variables = { GIT_ALLOC_LIMIT: MOST_ALLOCATED };
    const child = await startGit(slot, ARGS, { input: STREAMED, extras: { variables } });
    await feed(slot, child, rest, maxBytes);
  } finally {
    release();
  }
}
