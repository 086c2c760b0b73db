import path from 'node:path';

import { checkout, inCheckout } from './paths.mjs';
import { durable } from './postgres-settings.mjs';
import { prepare } from './prepare.mjs';
import { runStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';
import { withScratchPostgres } from './scratch.mjs';
import { withoutSettings } from './settings.mjs';

/* Commands on the checkout, for development. Each resolves to its exit code. */

/** `npm run build` */
export async function build() {
  await prepare({ development: true });
  console.log('Built.');
  return 0;
}

/**
 * `npm run bench [-- names]` measures against a PostgreSQL of its own, set up as the real one is.
 *
 * @param {string[]} words
 */
export async function bench(words) {
  await prepare({ development: true });
  return withScratchPostgres(durable, ({ url, directory }) =>
    run(['test', 'bench', 'main.js'], words, {
      ...withoutSettings(process.env),
      NODE_ENV: 'production',
      CAPSTAN_TEST_DATABASE_URL: url,
      CAPSTAN_TEST_DIRECTORY: directory,
    }),
  );
}

/**
 * `npm run bench:seed [-- --scale N]` fills the database that DATABASE_URL names with a dataset to measure on; without DATABASE_URL one
 * of its own, which is gone afterwards.
 *
 * @param {string[]} words
 */
export async function benchSeed(words) {
  await prepare({ development: true });
  const fill = (/** @type {NodeJS.ProcessEnv} */ env) =>
    run(['test', 'bench', 'seed', 'main.js'], words, { ...process.env, ...env });
  const { DATABASE_URL: given } = process.env;
  if (given) return fill({ CAPSTAN_SEED_DATABASE_URL: given });
  return withScratchPostgres(durable, ({ url, directory }) =>
    fill({ CAPSTAN_TEST_DATABASE_URL: url, CAPSTAN_TEST_DIRECTORY: directory }),
  );
}

/** `npm run graphql:schema` writes api/schema.graphql anew. */
export async function graphqlSchema() {
  await prepare();
  return run(['api', 'write-graphql-schema.js'], []);
}

/** `npm run release:contract` writes api/released: what `npm run check` holds later changes of the APIs against. */
export async function releaseContract() {
  await prepare({ development: true });
  return run(['test', 'contract', 'print-released.js'], []);
}

/**
 * `npm run ledger -- ledger.txt` writes each row of the contract and the tests that show it to a file; without a name the ledger is
 * printed (npm run --silent ledger, so that nothing else is).
 *
 * @param {string[]} words
 */
export function ledger(words) {
  return print(['test', 'contract', 'print-ledger.js'], words, true);
}

/**
 * `npm run openapi -- openapi.json` writes the description of the REST API to a file; without a name it is printed (npm run --silent
 * openapi, so that nothing else is).
 *
 * @param {string[]} words
 */
export function openapi(words) {
  return print(['api', 'print-openapi.js'], words, false);
}

/**
 * @param {string[]} script
 * @param {string[]} words
 * @param {boolean} development
 */
async function print(script, words, development) {
  // What installing and building tell must not stand in what is printed.
  console.log = console.error;
  await prepare({ development });
  return run(
    script,
    words.slice(0, 1).map((name) => path.resolve(name)),
  );
}

/**
 * @param {string[]} script below dist
 * @param {string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 */
function run(script, words, env) {
  return runStep(projectNode(), [inCheckout('dist', ...script), ...words], { cwd: checkout, ...(env ? { env } : {}) });
}
