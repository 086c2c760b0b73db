import path from 'node:path';

import { prepare } from '#launch/build.mjs';
import { checkout, inCheckout, projectNode } from '#launch/runtime.mjs';
import { runStep } from '#launch/steps.mjs';
import { prepareDevelopment } from './prepare.mjs';
import { environmentWithoutSettings, loadLauncher, withScratchPostgres } from './scratch-postgres.mjs';

/* Commands that install, build, and run a compiled file. Each resolves to its exit code. */

/**
 * Runs a file that writes something: to the file that the first argument names, else to standard output, where nothing else is written
 * (with npm run --silent).
 *
 * @param {string} script below dist
 * @param {string[]} args
 */
export async function runOutput(script, args) {
  console.log = console.error;
  await (script.startsWith('test/') ? prepareDevelopment() : prepare());
  return run(
    script,
    args.slice(0, 1).map((name) => path.resolve(name)),
    process.env,
  );
}

/**
 * Runs a file with a PostgreSQL of its own, set up as the real one is.
 *
 * @param {string} script below dist
 * @param {string[]} args
 */
export async function runOnScratchPostgres(script, args) {
  await prepareDevelopment();
  return withScratchPostgres((await loadLauncher()).durable, ({ url, directory }) =>
    run(script, args, {
      ...environmentWithoutSettings(),
      NODE_ENV: 'production',
      CAPSTAN_TEST_DATABASE_URL: url,
      CAPSTAN_TEST_DIRECTORY: directory,
    }),
  );
}

/**
 * Fills the database that DATABASE_URL names with a dataset to measure on; without DATABASE_URL one of its own, which is gone
 * afterwards.
 *
 * @param {string[]} args
 */
export async function seedDatabase(args) {
  const script = 'test/bench/seed/main.js';
  await prepareDevelopment();
  const { DATABASE_URL: url } = process.env;
  if (url) return run(script, args, { ...process.env, CAPSTAN_SEED_DATABASE_URL: url });
  return withScratchPostgres((await loadLauncher()).durable, ({ url, directory }) =>
    run(script, args, { ...process.env, CAPSTAN_TEST_DATABASE_URL: url, CAPSTAN_TEST_DIRECTORY: directory }),
  );
}

/**
 * @param {string} script
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function run(script, args, env) {
  return runStep(projectNode(), [inCheckout('dist', script), ...args], { cwd: checkout, env });
}
