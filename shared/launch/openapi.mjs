import path from 'node:path';

import { runEntry } from './entry.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { runStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';

/*
 * npm run openapi -- openapi.json writes the description of the REST API to a file; without a name it is printed
 * (npm run --silent openapi, so that nothing else is).
 */

await runEntry(async () => {
  // What installing and building tell must not stand in the document.
  console.log = console.error;
  await prepare();
  const file = process.argv.slice(2, 3).map((name) => path.resolve(name));
  return runStep(projectNode(), [inCheckout('dist', 'api', 'print-openapi.js'), ...file], { cwd: checkout });
});
