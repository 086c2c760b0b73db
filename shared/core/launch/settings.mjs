import path from 'node:path';

import { checkout } from './paths.mjs';

/** The settings of the product; tests and benchmarks must not inherit them. */
export const settingNames = [
  'HOST',
  'PORT',
  'EXTERNAL_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'WORKERS',
  'SECRET_KEY_BASE',
  'LOG_LEVEL',
  'INITIAL_ROOT_TOKEN',
  'INITIAL_ROOT_PASSWORD',
];

/**
 * What the launcher itself needs of the settings; the service checks all of them at its start.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function readSettings(env) {
  return {
    /** Absolute; a relative one counts from the checkout. */
    dataDir: path.resolve(checkout, env.DATA_DIR || '.data'),
    /** null: the embedded PostgreSQL. */
    databaseUrl: env.DATABASE_URL || null,
    workers: workerCount(env.WORKERS),
    /** null: kept in DATA_DIR. */
    secretKeyBase: env.SECRET_KEY_BASE || null,
  };
}

/** A copy of the environment without the product's settings. */
export function withoutSettings(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settingNames.includes(name)));
}

function workerCount(text) {
  if (text === undefined || text === '') return 1;
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > 64) {
    throw new BadSetting(`WORKERS is "${text}"; it should be how many worker processes to run, 0 to 64.`);
  }
  return count;
}

/** A setting that cannot be used; its message names it and says what it should be. */
export class BadSetting extends Error {}
