import { runEntry } from './entry.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { runStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';

/* npm run graphql:schema writes api/schema.graphql anew. */

await runEntry(async () => {
  await prepare();
  return runStep(projectNode(), [inCheckout('dist', 'api', 'write-graphql-schema.js')], { cwd: checkout });
});
