import { ClientGone, Overloaded } from '../core/values/errors.js';
import type { GitExtras } from './environment.js';
import { GitMissing, GitOutputTooLarge, GitTimeout } from './errors.js';
import { slotFor, type PoolName, type GitSlot, type Repository } from './pools.js';
import { RETRY_AFTER_SECONDS } from './process-slots.js';
import { exitError, startError, startGit, stopGit, type GitProcess } from './start.js';

export interface ScanOptions {
  /** The pool whose slot it uses; `short` by default. */
  pool?: PoolName;
  /** What git reads on its standard input. */
  input?: string | Buffer;
  /** Milliseconds, for jobs: 30 s by default. Requests are limited by their pool. */
  timeoutMs?: number;
  /** Exit codes that are results rather than failures; only 0 by default. */
  exitCodes?: number[];
  /** Ends the command early. */
  signal?: AbortSignal;
  extras?: GitExtras;
  /** For work that is not urgent: it runs only when the cores are idle. */
  idle?: boolean;
}

export interface RunOptions extends ScanOptions {
  /** Maximum bytes of output; 64 MiB by default. */
  maxBytes?: number;
  /** Return the first `maxBytes` bytes of longer output instead of throwing. */
  cutOutput?: boolean;
}

export interface ScanResult {
  stderr: string;
  exitCode: number;
}

export interface RunResult extends ScanResult {
  stdout: Buffer;
}

/** Takes a piece of output; true ends the command, which then counts as a success. */
export type TakeOutput = (chunk: Buffer) => boolean | void;

const defaultTimeoutMs = 30_000;
export const defaultMaxBytes = 64 * 1024 * 1024;
/** The first one that merges without a working tree (`merge-tree --write-tree`). */
const oldestGit: [number, number] = [2, 38];

/**
 * Runs one git command to its end and hands its output on as it comes, so that none of it need be held.
 * @throws GitMissing, RepositoryMissing; Overloaded where there is no slot or a request's time is up, GitTimeout where
 * a job's is; ClientGone, or the reason of an own `signal`; what `take` throws; GitFailed for an exit code not in `exitCodes`
 */
export async function scanGit(
  repository: Repository | null,
  args: string[],
  take: TakeOutput,
  options: ScanOptions = {},
): Promise<ScanResult> {
  const slot = slotFor(repository, options.pool ?? 'short');
  const release = await slot.pool.take(slot.owner, slot.signal);
  try {
    return await watch(await startGit(slot, args, options), slot, args[0] ?? '', take, options);
  } finally {
    release();
  }
}

/** Like {@link scanGit}, for output that is small enough to be held completely. Also throws GitOutputTooLarge. */
export async function runGit(
  repository: Repository | null,
  args: string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const { maxBytes = defaultMaxBytes, cutOutput = false } = options;
  const out: Buffer[] = [];
  let size = 0;
  const result = await scanGit(
    repository,
    args,
    (chunk) => {
      size += chunk.length;
      out.push(chunk);
      if (size > maxBytes && !cutOutput) throw new GitOutputTooLarge(args[0] ?? '', maxBytes);
      return size > maxBytes;
    },
    options,
  );
  return { ...result, stdout: Buffer.concat(out).subarray(0, maxBytes) };
}

/** Like {@link runGit}, for commands whose output is text. */
export async function runGitText(
  repository: Repository | null,
  args: string[],
  options: RunOptions = {},
): Promise<string> {
  return (await runGit(repository, args, options)).stdout.toString('utf8');
}

/** The signal that aborts a process, and the error for it. Writes are not aborted halfway when a client disconnects. */
function endOf({ poolName, signal }: GitSlot, own: AbortSignal | undefined): [AbortSignal | undefined, () => unknown] {
  if (own) return [own, () => own.reason];
  return [poolName === 'write' ? undefined : signal, () => new ClientGone()];
}

/** The time limit of a process, and the error for exceeding it. */
export function timeLimit({ pool }: GitSlot, command: string, timeoutMs = defaultTimeoutMs): [number, Error] {
  const { runMs } = pool.limits;
  return runMs === null
    ? [timeoutMs, new GitTimeout(command, timeoutMs)]
    : [runMs, new Overloaded(RETRY_AFTER_SECONDS)];
}

function watch(
  child: GitProcess,
  slot: GitSlot,
  command: string,
  take: TakeOutput,
  options: ScanOptions,
): Promise<ScanResult> {
  const { exitCodes = [0] } = options;
  const [signal, why] = endOf(slot, options.signal);
  const [timeoutMs, late] = timeLimit(slot, command, options.timeoutMs);
  return new Promise((resolve, reject) => {
    let stopped: { error: unknown } | 'enough' | undefined;
    const stop = (reason: { error: unknown } | 'enough'): void => {
      if (stopped) return;
      stopped = reason;
      stopGit(child);
    };
    const timer = setTimeout(() => stop({ error: late }), timeoutMs);
    const abort = () => stop({ error: why() });
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    child.output.on('data', (chunk: Buffer) => {
      if (stopped) return;
      try {
        if (take(chunk) === true) stop('enough');
      } catch (error) {
        stop({ error });
      }
    });
    child.on('error', (error) => {
      settle();
      reject(startError(error));
    });
    child.on('close', (exitCode) => {
      settle();
      const { stderr } = child;
      if (stopped === 'enough') resolve({ stderr, exitCode: 0 });
      else if (stopped) reject(stopped.error as Error);
      else if (exitCode !== null && exitCodes.includes(exitCode)) resolve({ stderr, exitCode });
      else reject(exitError(slot.path, command, exitCode, child));
    });
  });
}

/** Checks that git 2.38 or newer can be started and answers its version (`2.39.5`); throws GitMissing with what to do. */
export async function requireGit(): Promise<string> {
  const text = (await runGitText(null, ['version'])).trim();
  const [, version = '', major = '0', minor = '0'] = /^git version ((\d+)\.(\d+)\S*)/.exec(text) ?? [];
  const newEnough = Number(major) > oldestGit[0] || (Number(major) === oldestGit[0] && Number(minor) >= oldestGit[1]);
  if (!newEnough) throw new GitMissing(`git ${oldestGit.join('.')} or newer is needed, found "${text}"`);
  return version;
}
