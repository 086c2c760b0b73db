import { statSync } from 'node:fs';
import path from 'node:path';

import { becomeOwner, withKeptDatabase } from './kept-database.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { spawnStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';
import { readSettings } from './settings.mjs';
import { StopRequest } from './stop-request.mjs';

/**
 * Runs a script of the service on its database, beside the running service or alone: by DATABASE_URL, else on the embedded one of
 * DATA_DIR. Standard output is the script's alone.
 *
 * @param {string} script below `dist/shared`
 * @param {string[]} words its arguments
 * @param {{ onRepositories?: boolean }} [how] `onRepositories`: as root, as the user whose the repositories are, who must be able to read
 *   what it writes there
 * @returns {Promise<number>} its exit code; 130 where it was told to stop
 */
export async function runDatabaseCommand(script, words = [], { onRepositories = false } = {}) {
  console.log = console.error;
  const { dataDir, databaseUrl, secretKeyBase } = readSettings(process.env);
  if (!databaseUrl) becomeOwner(dataDir);
  await prepare();
  const stop = new StopRequest();
  const user = onRepositories ? ownerOfRepositories(dataDir) : {};
  const run = (env) => runStopped(script, words, { ...user, env: { ...process.env, DATA_DIR: dataDir, ...env } }, stop);
  if (databaseUrl) return run({});
  return withKeptDatabase(dataDir, stop, secretKeyBase, ({ url, secret }) =>
    run({ DATABASE_URL: url, SECRET_KEY_BASE: secret }),
  );
}

function ownerOfRepositories(dataDir) {
  if (process.getuid?.() !== 0) return {};
  const found = statSync(path.join(dataDir, 'repositories'), { throwIfNoEntry: false });
  return found ? { uid: found.uid, gid: found.gid } : {};
}

async function runStopped(script, words, options, stop) {
  const args = [inCheckout('dist', 'shared', script), ...words];
  const step = spawnStep(projectNode(), args, { cwd: checkout, stdio: 'inherit', ...options });
  const code = await stop.orStop(step.ended);
  if (code !== undefined) return code;
  step.child.kill('SIGTERM');
  await step.ended;
  return 130;
}
