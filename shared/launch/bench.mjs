import { existsSync } from 'node:fs';

import { runEntry } from './entry.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { durable } from './postgres-settings.mjs';
import { prepare } from './prepare.mjs';
import { runStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';
import { withScratchPostgres } from './scratch.mjs';
import { withoutSettings } from './settings.mjs';

/* npm run bench [-- names]: installs, builds, and measures against a PostgreSQL of its own, set up as the real one is. */

await runEntry(async () => {
  await prepare({ development: true });
  const main = inCheckout('dist', 'test', 'bench', 'main.js');
  if (!existsSync(main)) throw new Error('There is nothing to measure: test/bench/main.ts is missing.');
  return withScratchPostgres(durable, ({ url, directory }) => {
    const env = {
      ...withoutSettings(process.env),
      NODE_ENV: 'production',
      CAPSTAN_TEST_DATABASE_URL: url,
      CAPSTAN_TEST_DIRECTORY: directory,
    };
    return runStep(projectNode(), [main, ...process.argv.slice(2)], { cwd: checkout, env });
  });
});
