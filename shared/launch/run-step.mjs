import { spawn } from 'node:child_process';

import { identify } from './process-identity.mjs';

/**
 * Runs a command to its end, its output going where ours goes. A signal to us goes on to it, and ends us when it has ended. While it
 * runs it is written into the lock, so that the lock outlives us if need be.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, lock?: import('./lock.mjs').Lock, stdio?: import('node:child_process').StdioOptions,
 *   onStdout?: (chunk: Buffer) => void, onStderr?: (chunk: Buffer) => void, progress?: string }} [options] `progress` is told every
 *   five seconds, with the time
 * @returns {Promise<number>} its exit code; 128 + n when a signal ended it
 */
export async function runStep(command, args, options = {}) {
  const { lock, onStdout, onStderr, progress, ...spawnOptions } = options;
  if (received) throw new Error(`${command} is not started after ${received}.`);
  const { child, ended } = spawnStep(command, args, { stdio: 'inherit', ...spawnOptions });
  if (onStdout) child.stdout.on('data', onStdout);
  if (onStderr) child.stderr.on('data', onStderr);
  const helper = child.pid ? identify(child.pid) : null;
  if (lock && helper) lock.update({ helpers: [...(lock.state.helpers ?? []), helper] });
  const release = forwardSignals(child, progress !== undefined);
  const stopTelling = progress ? tellProgress(progress) : () => {};
  try {
    return await ended;
  } finally {
    stopTelling();
    lock?.update({ helpers: (lock.state.helpers ?? []).filter((other) => other !== helper) });
    release();
  }
}

/**
 * Runs a command to its end as {@link runStep} does, and listens to what it says.
 *
 * @returns {Promise<{ code: number, said: string }>} `said` is the end of it
 */
export async function runHeardStep(command, args, options) {
  let said = '';
  const passOn = (stream) => (chunk) => {
    stream.write(chunk);
    said = `${said}${chunk}`.slice(-20_000);
  };
  const code = await runStep(command, args, {
    ...options,
    stdio: ['inherit', 'pipe', 'pipe'],
    onStdout: passOn(process.stdout),
    onStderr: passOn(process.stderr),
  });
  return { code, said };
}

/**
 * Starts a command whose end others decide on too; `ended` gives its exit code.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export function spawnStep(command, args, options) {
  const child = spawn(command, args, options);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(exitCode(code, signal)));
  });
  return { child, ended };
}

/**
 * The exit code that tells how a process ended.
 *
 * @param {number | null} code
 * @param {string | null} signal
 */
export function exitCode(code, signal) {
  return code ?? 128 + ({ SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 }[signal] ?? 0);
}

function tellProgress(what) {
  const startedAt = Date.now();
  const timer = setInterval(() => {
    console.log(`${what} … ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, 5000);
  return () => clearInterval(timer);
}

/** How long a step may take to end that the next start begins again, in milliseconds. */
const patience = 1500;

/** The steps that run, and the signal that ends them and then us. */
const running = new Set();
let received = null;

function forwardSignals(child, isRepeatable) {
  const step = { child, isRepeatable };
  if (running.size === 0) for (const signal of signals) process.on(signal, endSteps);
  running.add(step);
  return () => {
    running.delete(step);
    if (running.size > 0) return;
    for (const signal of signals) process.off(signal, endSteps);
    if (received) process.exit(exitCode(null, received));
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function endSteps(signal) {
  for (const { child, isRepeatable } of running) {
    if (received === null && isRepeatable) setTimeout(() => child.kill('SIGKILL'), patience).unref();
    child.kill(signal);
  }
  received = signal;
}
