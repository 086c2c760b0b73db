import { runEntry } from './entry.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { runStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';

/* npm run release:contract writes api/released: what `npm run check` holds later changes of the APIs against. */

await runEntry(async () => {
  await prepare({ development: true });
  return runStep(projectNode(), [inCheckout('dist', 'test', 'contract', 'print-released.js')], { cwd: checkout });
});
