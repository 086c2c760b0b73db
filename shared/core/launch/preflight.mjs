import { accessSync, constants, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

import { doubtfulNames } from './near-names.mjs';
import { BadSetting, readSettings, requireSettings } from './settings.mjs';

/**
 * Tries what the environment asks for before anything is installed, started or migrated. Warns of variables that are probably
 * misspelt settings. Throws BadSetting.
 *
 * @param {'all' | 'api' | 'workers'} mode
 * @param {NodeJS.ProcessEnv} env
 */
export async function preflight(mode, env) {
  for (const doubt of doubtfulNames(env)) console.error(`capstan: ${doubt}`);
  requireSettings(env);
  requireDirectory(readSettings(env).dataDir);
  if (mode !== 'workers') await requirePort(env.HOST || '127.0.0.1', Number(env.PORT || 8080));
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
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'is not of this machine',
  ENOTFOUND: 'is a host whose address nobody knows',
  EAI_AGAIN: 'is a host whose address cannot be looked up at present',
};

/** Listens for a moment; the API does it again when its turn comes. */
async function requirePort(host, port) {
  const server = createServer();
  const code = await new Promise((resolve) => {
    server.once('error', (error) => resolve(error.code));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
  if (code)
    throw new BadSetting(`HOST and PORT must be free to listen on; ${host}:${port} ${portProblems[code] ?? code}.`);
}
