import { once } from 'node:events';
import { Readable } from 'node:stream';
import { ClientGone } from '../core/values/errors.js';
import { GitTimeout } from './errors.js';
import { bigFileBytes } from './environment.js';
import { slotFor, type PoolName, type GitSlot, type Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { runGitText, timeLimit } from './run.js';
import { exitError, startError, startGit, stopGit, type GitProcess } from './start.js';

/** Bytes that git may be ahead of the reader. */
const BUFFER_BYTES = 256 * 1024;

/**
 * The output of a git command, of any size. The process ends with the stream, and so does its slot: when all is read,
 * when the stream is destroyed, when its reader reads nothing for `stallMs`, with the signal, and when its time is up.
 * All but the first are errors of the stream, never output that looks complete.
 */
export class GitStream extends Readable {
  readonly #timer: NodeJS.Timeout;
  #stalled: NodeJS.Timeout | undefined;

  constructor(
    protected readonly slot: GitSlot,
    protected readonly child: GitProcess,
    protected readonly command: string,
    release: () => void,
  ) {
    super({ highWaterMark: BUFFER_BYTES });
    const [timeoutMs, late] = timeLimit(slot, command, 10 * 60_000);
    this.#timer = setTimeout(() => this.destroy(late), timeoutMs);
    slot.signal?.addEventListener('abort', this.#abort, { once: true });
    // The reader adds its own listener; until then there is none.
    this.on('error', () => {});
    const { output } = child;
    output.on('data', (chunk: Buffer) => {
      if (this.push(chunk)) return;
      output.pause();
      clearTimeout(this.#stalled);
      this.#stalled = setTimeout(() => this.destroy(new GitTimeout('reader', slot.stallMs)), slot.stallMs);
    });
    child.once('error', (error) => {
      release();
      this.destroy(startError(error));
    });
    child.once('close', (exitCode) => {
      release();
      if (this.destroyed) return;
      const failure = this.failureOf(exitCode);
      if (failure) this.destroy(failure);
      else this.push(null);
    });
  }

  /** The error for the exit code of the process; null if its output is complete. */
  protected failureOf(exitCode: number | null): Error | null {
    return exitCode === 0 ? null : exitError(this.slot.path, this.command, exitCode, this.child);
  }

  readonly #abort = () => this.destroy(new ClientGone());

  override _read(): void {
    clearTimeout(this.#stalled);
    this.child.output.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#stalled);
    this.slot.signal?.removeEventListener('abort', this.#abort);
    stopGit(this.child);
    // The output is no longer read; a connection left full would keep the process alive.
    this.child.output.destroy();
    if (this.child.hasExited) done(error);
    else this.child.once('exit', () => done(error));
  }
}

const noBase = '0'.repeat(40);

/** Content that is stored as a change of other content git puts together in memory, however large it is. */
async function choosePool(repository: Repository, blobId: string, size: number): Promise<PoolName> {
  if (size <= bigFileBytes) return 'stream';
  const args = ['cat-file', '--batch-check=%(deltabase)'];
  const base = (await runGitText(repository, args, { input: `${blobId}\n` })).trim();
  return base === noBase ? 'stream' : 'heavy';
}

/**
 * Opens the content of a blob (by its id) of `size` bytes. Resolves once its first bytes are available, or it is known
 * to be empty. Throws as scanGit does; see {@link GitStream} for how it ends. Destroy it if it is not read.
 */
export async function openBlob(repository: Repository, blobId: string, size: number): Promise<Readable> {
  const slot = slotFor(repository, await choosePool(repository, requireSha(blobId), size));
  const release = await slot.pool.take(slot.owner, slot.signal);
  const child = await startGit(slot, ['cat-file', 'blob', blobId]).catch((error: unknown) => {
    release();
    throw error;
  });
  const started = once(child, 'spawn');
  const stream = new GitStream(slot, child, 'cat-file', release);
  await Promise.all([started, once(stream, 'readable')]);
  return stream;
}
