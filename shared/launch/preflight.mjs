import { accessSync, constants, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

import { doubtfulNames } from './near-names.mjs';
import { describePortHolder } from './port-holder.mjs';
import { BadSetting, readSettings, requireSettings } from './settings.mjs';

/**
 * Judges what the environment asks for before anything is installed, made or started. Warns of variables that are probably misspelt
 * settings. Throws BadSetting.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function checkSettings(env) {
  for (const doubt of doubtfulNames(env)) console.error(`capstan: ${doubt}`);
  requireSettings(env);
  requireDirectory(readSettings(env).dataDir);
}

/**
 * DATA_DIR, or where it is to be made, must be a directory that we may write to.
 *
 * @param {string} dataDir absolute
 */
function requireDirectory(dataDir) {
  for (let at = dataDir; ; at = path.dirname(at)) {
    try {
      if (!statSync(at).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
      accessSync(at, constants.W_OK | constants.X_OK);
      return;
    } catch ({ code }) {
      if (code === 'ENOENT' && at !== path.dirname(at)) continue;
      throw new BadSetting(
        `DATA_DIR must be a directory that this user may write to; ${at} ${directoryProblem(code)}.`,
      );
    }
  }
}

const directoryProblems = { ENOTDIR: 'is no directory', EROFS: 'is on a file system that is read-only' };
const directoryProblem = (code) => directoryProblems[code] ?? `is closed to uid ${process.getuid?.()}`;

const portProblems = {
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not of this machine',
  ENOTFOUND: 'is a host whose address nobody knows',
  EAI_AGAIN: 'is a host whose address cannot be looked up at present',
};

/**
 * Listens for a moment; the API does it again when its turn comes. Throws BadSetting.
 *
 * @param {{ host: string, port: number }} where
 */
export async function checkPort({ host, port }) {
  const server = createServer();
  const code = await new Promise((resolve) => {
    server.once('error', (error) => resolve(error.code));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
  if (!code) return;
  const problem = code === 'EADDRINUSE' ? inUse(port) : (portProblems[code] ?? code);
  throw new BadSetting(`HOST and PORT must be free to listen on; ${host}:${port} ${problem}.`);
}

function inUse(port) {
  const holder = describePortHolder(port);
  const whose = holder ? ` (${holder})` : '';
  return `is in use by another program${whose}: set PORT to another port, or to 0 for any free one`;
}
