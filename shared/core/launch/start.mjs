import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { runEntry } from './entry.mjs';
import { adoptLock, describeHolder, ownDetails, tryLock } from './lock.mjs';
import { lockDirectory } from './lock-directory.mjs';
import { checkout } from './paths.mjs';
import { preflight } from './preflight.mjs';
import { prepare } from './prepare.mjs';
import { identify } from './process-identity.mjs';
import { exitCode } from './run-step.mjs';
import { nodeIsUsable, projectNode } from './runtime.mjs';

/*
 * npm start: installs, builds and runs the service. Any Node from 18 runs this file; the supervisor runs on the project's own, in
 * this process when it is new enough, else in a child that is given the lock.
 */

const modes = { all: 'service', api: 'service-api', workers: 'service-workers' };

await runEntry(() => {
  const [mode = 'all', ...handedOn] = process.argv.slice(2);
  if (!Object.hasOwn(modes, mode))
    throw new Error(`"${mode}" is not something to start: api, workers, or nothing for both.`);
  return process.send && handedOn.length === 2 ? continueFrom(mode, handedOn) : start(mode);
});

async function start(mode) {
  const { lock, previous } = await takeServiceLock(mode);
  if (!lock) return 1;
  try {
    await preflight(mode, process.env);
    await prepare();
  } catch (error) {
    lock.release();
    throw error;
  }
  if (!nodeIsUsable()) return handOn(mode, lock, previous);
  const { supervise } = await import('./supervisor.mjs');
  return supervise(mode, lock, previous).finally(() => lock.release());
}

async function takeServiceLock(mode) {
  for (let told = false; ; told = true) {
    const { lock, holder, previous } = tryLock(lockDirectory(), modes[mode], ownDetails());
    if (lock) return { lock, previous };
    const pid = holder.holder.pid;
    if (!holder.stopping) {
      console.error(`Capstan is already ${holder.readyAt ? 'running' : 'starting'}${describeHolder(holder)}.`);
      return { lock: null };
    }
    if (!told) console.log(`Waiting for the service with pid ${pid} to end ...`);
    await sleep(100);
  }
}

/** The child ends when its channel to us closes, so killing us ends it too. */
async function handOn(mode, lock, previous) {
  const args = [process.argv[1], mode, String(lock.generation), JSON.stringify(previous)];
  const child = spawn(projectNode(), args, { cwd: checkout, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  lock.update({ helpers: [identify(child.pid)].filter(Boolean) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(exitCode(code, signal)));
  });
}

async function continueFrom(mode, [generation, previous]) {
  const lock = adoptLock(lockDirectory(), modes[mode], Number(generation));
  const { supervise } = await import('./supervisor.mjs');
  try {
    return await supervise(mode, lock, JSON.parse(previous));
  } finally {
    lock.release();
    if (process.connected) process.disconnect();
  }
}
