import { runEntry } from './entry.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { durable } from './postgres-settings.mjs';
import { prepare } from './prepare.mjs';
import { runStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';
import { withScratchPostgres } from './scratch.mjs';

/*
 * npm run bench:seed [-- --scale N]: fills the database that DATABASE_URL names with a dataset to measure on; without DATABASE_URL
 * one of its own, which is gone afterwards.
 */

const main = inCheckout('dist', 'test', 'bench', 'seed', 'main.js');

function fill(env) {
  return runStep(projectNode(), [main, ...process.argv.slice(2)], { cwd: checkout, env: { ...process.env, ...env } });
}

await runEntry(async () => {
  await prepare({ development: true });
  const { DATABASE_URL: url } = process.env;
  if (url) return fill({ CAPSTAN_SEED_DATABASE_URL: url });
  return withScratchPostgres(durable, ({ url, directory }) =>
    fill({ CAPSTAN_TEST_DATABASE_URL: url, CAPSTAN_TEST_DIRECTORY: directory }),
  );
});
