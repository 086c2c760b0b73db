import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { gitEnvironment, type GitExtras } from './environment.js';
import { GitFailed, GitMissing, GitOutputTooLarge, GitTimeout, RepositoryMissing } from './errors.js';
import { inProcessSlot } from './process-slots.js';

export interface RunOptions {
  /** What git reads on its standard input. */
  input?: string | Buffer;
  /** Milliseconds; 30 s unless told. */
  timeoutMs?: number;
  /** Most bytes of output; 64 MiB unless told. */
  maxBytes?: number;
  /** Return the first `maxBytes` bytes of longer output instead of throwing. */
  cutOutput?: boolean;
  /** Exit codes that are answers rather than failures; only 0 unless told. */
  exitCodes?: number[];
  /** Ends the command early. */
  signal?: AbortSignal;
  extras?: GitExtras;
}

export interface RunResult {
  stdout: Buffer;
  stderr: string;
  exitCode: number;
}

const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 64 * 1024 * 1024;
const stderrLimit = 16 * 1024;
/** The first one that can be told which address a host has (`http.curloptResolve`). */
const oldestGit: [number, number] = [2, 37];

/**
 * Starts git on a bare repository (or none) without a shell and without the caller's environment.
 * The path goes in as --git-dir: git then never searches parent folders, nor refuses another owner.
 */
export function startGit(
  repository: string | null,
  args: string[],
  extras: GitExtras = {},
): ChildProcessWithoutNullStreams {
  const all = repository === null ? args : [`--git-dir=${repository}`, ...args];
  return spawn('git', all, { cwd: '/', env: gitEnvironment(extras), stdio: 'pipe', windowsHide: true });
}

/** Ends a process: TERM lets git remove its lock files, KILL follows where it does not listen. */
export function stopGit(child: ChildProcessWithoutNullStreams): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 2000).unref();
  child.once('close', () => clearTimeout(timer));
}

/**
 * Runs one git command to its end. Throws GitMissing, RepositoryMissing, GitTimeout, GitOutputTooLarge,
 * the reason of `signal`,
 * or GitFailed for an exit code not in `exitCodes`.
 */
export function runGit(repository: string | null, args: string[], options: RunOptions = {}): Promise<RunResult> {
  return inProcessSlot(() => collect(startGit(repository, args, options.extras), repository, args[0] ?? '', options));
}

/** The same, for commands whose output is text. */
export async function runGitText(repository: string | null, args: string[], options: RunOptions = {}): Promise<string> {
  return (await runGit(repository, args, options)).stdout.toString('utf8');
}

function collect(
  child: ChildProcessWithoutNullStreams,
  repository: string | null,
  command: string,
  options: RunOptions,
): Promise<RunResult> {
  const { timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes, exitCodes = [0] } = options;
  return new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    let size = 0;
    let stderr = '';
    let stopped: Error | 'cut' | undefined;
    const stop = (reason: Error | 'cut'): void => {
      if (stopped) return;
      stopped = reason;
      stopGit(child);
    };
    const timer = setTimeout(() => stop(new GitTimeout(command, timeoutMs)), timeoutMs);
    const abort = () => stop(options.signal?.reason as Error);
    options.signal?.addEventListener('abort', abort, { once: true });
    if (options.signal?.aborted) abort();
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      out.push(chunk);
      if (size > maxBytes) stop(options.cutOutput ? 'cut' : new GitOutputTooLarge(command, maxBytes));
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < stderrLimit) stderr += chunk.toString('utf8');
    });
    // git may end without reading everything; its exit code says why, EPIPE does not.
    child.stdin.on('error', () => {});
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(startError(error));
    });
    child.on('close', (exitCode) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
      const stdout = Buffer.concat(out);
      if (stopped === 'cut') resolve({ stdout: stdout.subarray(0, maxBytes), stderr, exitCode: 0 });
      else if (stopped) reject(stopped);
      else if (exitCode !== null && exitCodes.includes(exitCode)) resolve({ stdout, stderr, exitCode });
      else reject(exitError(repository, command, exitCode, stderr));
    });
    child.stdin.end(options.input);
  });
}

/** The error for a process that could not be started. */
export function startError(error: Error): Error {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return missing ? new GitMissing('git was not found on the PATH; install git 2.37 or newer') : error;
}

/** The error for a process that ended badly. */
export function exitError(repository: string | null, command: string, exitCode: number | null, stderr: string): Error {
  if (repository !== null && stderr.startsWith('fatal: not a git repository')) return new RepositoryMissing(repository);
  return new GitFailed(command, exitCode, stderr);
}

/** Checks that git 2.37 or newer can be started and answers its version (`2.39.5`); throws GitMissing with what to do. */
export async function requireGit(): Promise<string> {
  const text = (await runGitText(null, ['version'])).trim();
  const [, version = '', major = '0', minor = '0'] = /^git version ((\d+)\.(\d+)\S*)/.exec(text) ?? [];
  const newEnough = Number(major) > oldestGit[0] || (Number(major) === oldestGit[0] && Number(minor) >= oldestGit[1]);
  if (!newEnough) throw new GitMissing(`git ${oldestGit.join('.')} or newer is needed, found "${text}"`);
  return version;
}
