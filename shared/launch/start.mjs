import { spawn } from 'node:child_process';

import { adoptClaim, modes, takeClaim, waitUntilFree } from './claim.mjs';
import { runEntry } from './entry.mjs';
import { checkout } from './paths.mjs';
import { checkPort, checkSettings } from './preflight.mjs';
import { prepare } from './prepare.mjs';
import { identify } from './process-identity.mjs';
import { exitCode } from './run-step.mjs';
import { noteService } from './running-services.mjs';
import { nodeIsUsable, projectNode } from './runtime.mjs';
import { readSettings } from './settings.mjs';

/*
 * npm start: installs, builds and runs the service. Any Node from 18 runs this file; the supervisor runs on the project's own, in
 * this process when it is new enough, else in a child that is given the locks.
 */

await runEntry(() => {
  const [mode = 'all', ...handedOn] = process.argv.slice(2);
  if (!modes.includes(mode))
    throw new Error(`"${mode}" is not something to start: api, workers, dev, or nothing for both.`);
  return process.send && handedOn.length === 2 ? continueFrom(mode, handedOn) : start(mode);
});

async function start(mode) {
  checkSettings(process.env);
  const settings = readSettings(process.env);
  const held = await waitUntilFree(mode, settings);
  if (!held && mode !== 'workers') await checkPort(settings);
  const { claim, refusal, previous } = held ? { refusal: held } : takeClaim(mode, settings);
  if (!claim) {
    console.error(refusal);
    return 1;
  }
  try {
    await prepare({ development: mode === 'dev' });
    const forget = noteService();
    return await run(mode, claim, previous).finally(forget);
  } finally {
    claim.release();
  }
}

async function run(mode, claim, previous) {
  if (!nodeIsUsable()) return handOn(mode, claim, previous);
  const { supervise } = await import('./supervisor.mjs');
  return supervise(mode, claim, previous);
}

/** The child ends when its channel to us closes, so killing us ends it too. */
async function handOn(mode, claim, previous) {
  const args = [process.argv[1], mode, JSON.stringify(claim.generations), JSON.stringify(previous)];
  const child = spawn(projectNode(), args, { cwd: checkout, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  claim.update({ helpers: [identify(child.pid)].filter(Boolean) });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(exitCode(code, signal)));
  });
}

async function continueFrom(mode, [generations, previous]) {
  const claim = adoptClaim(mode, readSettings(process.env), JSON.parse(generations));
  const { supervise } = await import('./supervisor.mjs');
  try {
    return await supervise(mode, claim, JSON.parse(previous));
  } finally {
    claim.release();
    if (process.connected) process.disconnect();
  }
}
