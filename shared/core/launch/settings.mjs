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
  'TRUSTED_PROXIES',
  'LOG_LEVEL',
  'API_VERSION',
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

/** What can be told of a setting before the service is there to check it (`shared/core/config.ts`). */
const checks = {
  HOST: [/^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i, 'a host name or an IP address to listen on'],
  PORT: [
    /^0*([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$/,
    'a port number from 0 to 65535 (0: any free one)',
  ],
  EXTERNAL_URL: [/^https?:\/\/[^?#\s]+$/i, 'the http or https URL that clients use, without query'],
  DATABASE_URL: [/^postgres(ql)?:/i, 'a postgres:// URL of PostgreSQL 15 or newer'],
  SECRET_KEY_BASE: [/^[^]{32,}$/, 'a secret of at least 32 characters'],
  LOG_LEVEL: [/^(fatal|error|warn|info|debug|trace|silent)$/, 'one of fatal, error, warn, info, debug, trace, silent'],
  API_VERSION: [/^\d+\.\d+\.\d+(-[\w.]+)?$/, 'a semantic version such as 18.6.0'],
};
const secret = ['SECRET_KEY_BASE', 'DATABASE_URL'];

/**
 * Throws BadSetting with a line for each setting whose text cannot be right.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function requireSettings(env) {
  const problems = Object.entries(checks).flatMap(([name, [pattern, expected]]) => {
    const text = env[name];
    if (!text || pattern.test(text)) return [];
    return [`${name} must be ${expected}${secret.includes(name) ? '' : `; it is ${JSON.stringify(text)}`}.`];
  });
  if (env.DATABASE_URL && !env.SECRET_KEY_BASE)
    problems.push('SECRET_KEY_BASE must be set when DATABASE_URL is: a secret of at least 32 characters.');
  if (problems.length > 0) throw new BadSetting(problems.join('\n'));
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
