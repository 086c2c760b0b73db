import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';

import { failureOf } from './full-disk.mjs';
import { identify } from './processes.mjs';

/**
 * @import { ChildProcess, SpawnOptions } from 'node:child_process'
 * @typedef {SpawnOptions & { lock?: import('./lock.mjs').Lock, onStart?: (child: ChildProcess) => void }} StepOptions
 */

/** A Ctrl-C after this time is one more, in milliseconds: below npm each arrives twice, from the terminal and from npm. */
const hasteAfter = 1000;
/** How long a step may take to end that the next start begins again, in milliseconds. */
const repeatableGrace = 1500;
/** @type {Partial<Record<NodeJS.Signals, number>>} */
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 };

/** The exit code for the way a process ended. @param {number | null} code @param {NodeJS.Signals | null} signal */
const getExitCode = (code, signal) => code ?? 128 + ((signal && signalNumbers[signal]) || 0);

/** Thrown when a step was aborted because this process was asked to exit. */
export class Stopped extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Ended by ${signal}.`);
    this.exitCode = getExitCode(null, signal);
  }
}

/**
 * The request to exit: SIGINT, SIGTERM, SIGHUP, the end of npm, or an internal request. Emits `stop` with the signal,
 * and again for another Ctrl-C, with `isAgain` set. Without listeners, it ends the process immediately.
 */
class StopRequest extends EventEmitter {
  /** @type {NodeJS.Signals | null} */
  signal = null;
  /** The exit code of a service that ends. */
  code = 0;
  isAgain = false;
  #at = 0;

  constructor() {
    super();
    for (const signal of /** @type {NodeJS.Signals[]} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
      process.on(signal, () => this.#receive(signal));
    // A killed npm can't pass its end on; its script would run on unnoticed.
    const parent = process.ppid;
    if (process.env.npm_lifecycle_event)
      setInterval(() => process.ppid === parent || this.#receive('SIGTERM'), 200).unref();
  }

  /** Ends a service from inside. @param {number} code */
  make(code) {
    if (this.signal) return;
    this.code = code;
    this.#receive('SIGTERM');
  }

  /** Throws Stopped once the request was made. */
  throwIfRequested() {
    if (this.signal) throw new Stopped(this.signal);
  }

  /** @param {NodeJS.Signals} signal */
  #receive(signal) {
    this.isAgain = this.signal !== null;
    if (this.isAgain && (signal !== 'SIGINT' || Date.now() - this.#at < hasteAfter)) return;
    this.signal ??= signal;
    this.#at ||= Date.now();
    if (!this.emit('stop', signal)) process.exit(getExitCode(null, signal));
  }
}

export const stop = new StopRequest();

/** Starts a command; `exit` gives its exit code, 128 + n when a signal ended it. @param {string} command @param {string[]} args @param {SpawnOptions} options */
export function spawnStep(command, args, options) {
  const child = spawn(command, args, options);
  /** @type {Promise<number>} */
  const exit = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(getExitCode(code, signal)));
  });
  return { child, exit };
}

/**
 * Runs a command to its end, its output going where ours goes, and resolves to its exit code. The request to stop goes on to it; then
 * Stopped is thrown when it has ended. While it runs it is written into the lock, so that the lock outlives us if need be.
 * @param {string} command @param {string[]} args @param {StepOptions} [options]
 */
export async function runStep(command, args, { lock, onStart, ...options } = {}) {
  stop.throwIfRequested();
  const { child, exit } = spawnStep(command, args, { stdio: 'inherit', ...options });
  const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  stop.on('stop', pass);
  onStart?.(child);
  const helper = child.pid ? identify(child.pid) : null;
  if (helper) lock?.update({ helpers: [...(lock.state.helpers ?? []), helper] });
  try {
    return await exit;
  } finally {
    stop.off('stop', pass);
    lock?.update({ helpers: lock.state.helpers?.filter((other) => other !== helper) });
    stop.throwIfRequested();
  }
}

/**
 * Runs an installation or build command, which the next start repeats if it was aborted. Throws on failure.
 * @param {string} command @param {string[]} args
 * @param {StepOptions & { progress: string, failure: (code: number) => string, output: string }} options `progress` is
 *   shown every five seconds, with the time; `output` is the path that it writes to
 */
export async function runBuildStep(command, args, { progress, failure, output, ...options }) {
  let said = '';
  const startedAt = Date.now();
  const show = () => console.log(`${progress} … ${Math.round((Date.now() - startedAt) / 1000)} s`);
  const timer = setInterval(show, 5000);
  const onStart = (/** @type {ChildProcess} */ child) => {
    child.stdout?.pipe(process.stdout, { end: false });
    child.stderr?.pipe(process.stderr, { end: false });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => (said = `${said}${chunk}`.slice(-20_000)));
    stop.once('stop', () => setTimeout(() => child.kill('SIGKILL'), repeatableGrace).unref());
  };
  const running = runStep(command, args, { ...options, stdio: ['inherit', 'pipe', 'pipe'], onStart });
  const code = await running.finally(() => clearInterval(timer));
  if (code !== 0) throw failureOf(failure(code), said, output);
}
