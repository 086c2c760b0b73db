import path from 'node:path';

import { checkout } from './paths.mjs';
import { readByRules, settingRules } from './setting-rules.mjs';

/** The settings of the product; tests and benchmarks must not inherit them. */
export const settingNames = [
  ...Object.keys(settingRules),
  'TRUSTED_PROXIES',
  'INITIAL_ROOT_TOKEN',
  'INITIAL_ROOT_PASSWORD',
];

/**
 * DATA_DIR, absolute; a relative one counts from the checkout.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function dataDirectory(env) {
  return path.resolve(checkout, env.DATA_DIR || settingRules.DATA_DIR.fallback);
}

/**
 * What the launcher itself needs of the settings. Throws BadSetting with a line for each whose text cannot be right.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function readSettings(env) {
  const { values, problems } = readByRules(settingRules, env);
  if (problems.length > 0) throw new BadSetting(problems.join('\n'));
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: dataDirectory(env),
    /** null: the embedded PostgreSQL. */
    databaseUrl: values.DATABASE_URL ?? null,
    workers: values.WORKERS,
    /** null: kept in DATA_DIR. */
    secretKeyBase: values.SECRET_KEY_BASE ?? null,
  };
}

/**
 * Throws BadSetting with a line for each setting whose text cannot be right, and for what is missing.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function requireSettings(env) {
  const { problems } = readByRules(settingRules, env);
  if (env.DATABASE_URL && !env.SECRET_KEY_BASE)
    problems.push('SECRET_KEY_BASE must be set when DATABASE_URL is: a secret of at least 32 characters.');
  if (problems.length > 0) throw new BadSetting(problems.join('\n'));
}

/** A copy of the environment without the product's settings. */
export function withoutSettings(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !settingNames.includes(name) && !name.startsWith('OTEL_')),
  );
}

/** A setting that cannot be used; its message names it and says what it should be. */
export class BadSetting extends Error {}
