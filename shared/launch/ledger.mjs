import path from 'node:path';

import { runEntry } from './entry.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { runStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';

/*
 * npm run ledger -- ledger.txt writes each row of the contract and the tests that show it to a file; without a name the
 * ledger is printed (npm run --silent ledger, so that nothing else is).
 */

await runEntry(async () => {
  // What installing and building tell must not stand in the ledger.
  console.log = console.error;
  await prepare({ development: true });
  const file = process.argv.slice(2, 3).map((name) => path.resolve(name));
  return runStep(projectNode(), [inCheckout('dist', 'test', 'contract', 'print-ledger.js'), ...file], {
    cwd: checkout,
  });
});
