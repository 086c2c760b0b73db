import { channel } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { gitEnvironment, type GitExtras } from './environment.js';
import { GitFailed, GitMissing, GitTooCostly, RepositoryMissing } from './errors.js';
import { isLimited, getProcessLimits, wasTooCostly } from './process-limits.js';
import { tracer } from '../core/traces/tracing.js';
import type { GitSlot } from './pools.js';
import { quarantineVariables } from './push/quarantine.js';
import { startBeside, type GitProcess, type WhatToStart } from './starter.js';

export { STREAMED, type GitProcess } from './starter.js';

/** Publishes each start of a git process, as a GitStart, for measurements. */
export const gitStarts = channel('capstan:git.start');

export interface GitStart {
  pool: GitSlot['poolName'];
  repository: string | null;
  caller: string;
  command: string;
  pid: number | undefined;
}

/**
 * How much to lower the CPU priority of a process: the API and the database serve all callers, git only one. A
 * low-priority process still gets all idle CPU time.
 */
const NICENESS: Record<GitSlot['poolName'], number> = {
  short: 10,
  stream: 10,
  transfer: 10,
  write: 5,
  long: 15,
  heavy: 15,
  refs: 5,
  background: 10,
};

export interface StartOptions {
  input?: WhatToStart['input'];
  extras?: GitExtras | undefined;
  /** Whether it only gets idle CPU time. */
  idle?: boolean | undefined;
}

const IDLE = 19;

/** Lets git read the objects of another repository too. */
const getObjects = (repository: string) => ({ GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository, 'objects') });

/**
 * Starts git, in a slot that the caller has, on a bare repository (or none) without a shell and without the
 * environment of this process. The path goes in as --git-dir: git then never searches parent folders, nor refuses
 * another owner.
 */
export async function startGit(
  slot: GitSlot,
  args: string[],
  { input, extras = {}, idle = false }: StartOptions = {},
): Promise<GitProcess> {
  const { path, poolName: pool, owner, quarantine } = slot;
  const all = path === null ? args : [`--git-dir=${path}`, ...args];
  const span = tracer()?.start(`git ${args[0] ?? ''}`, { kind: 'internal', attributes: { 'git.lane': pool } });
  const where = path === null || quarantine === undefined ? {} : quarantineVariables(path, quarantine);
  const env = {
    ...gitEnvironment({ ...extras, variables: { ...extras.variables, ...where } }),
    ...(slot.alternate && getObjects(slot.alternate)),
  };
  const start = () =>
    startBeside({
      args: all,
      env,
      limits: getProcessLimits(args[0], pool),
      niceness: idle ? IDLE : NICENESS[pool],
      input,
    });
  const child = await start().catch((error: unknown) => {
    span?.end(error);
    throw error;
  });
  if (span) {
    child.once('error', (error) => span.end(error));
    child.once('close', (exitCode) => {
      span.set({ 'process.exit.code': exitCode ?? -1 });
      span.end();
    });
  }
  child.once('spawn', () => {
    if (!gitStarts.hasSubscribers) return;
    const { caller } = owner;
    gitStarts.publish({ pool, repository: path, caller, command: args[0] ?? '', pid: child.pid } satisfies GitStart);
  });
  return child;
}

/** The remote has stopped sending, or git has stopped reading: git's exit reports the reason. */
export const CLOSED = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED']);

/** Stops a process: TERM lets git remove its lock files, KILL follows if it does not react. */
export function stopGit(child: GitProcess): void {
  if (child.hasExited) return;
  // What it started itself may live on a little, and would keep the connection open.
  child.once('exit', () => child.output.destroy());
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 2000).unref();
  child.once('close', () => clearTimeout(timer));
}

/** The error for a process that could not be started. */
export function startError(error: Error): Error {
  const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  return missing ? new GitMissing('git was not found on the PATH; install git 2.38 or newer') : error;
}

/** The error for a process that ended badly. */
export function exitError(
  repository: string | null,
  command: string,
  exitCode: number | null,
  { stderr, signal }: Pick<GitProcess, 'stderr' | 'signal'>,
): Error {
  if (isLimited(command) && wasTooCostly(signal, stderr)) return new GitTooCostly(command);
  if (repository !== null && stderr.startsWith('fatal: not a git repository')) return new RepositoryMissing(repository);
  return new GitFailed(command, exitCode, stderr, signal);
}
