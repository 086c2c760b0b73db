import { rebuildAllDora } from './deployments/dora/rebuild-dora.js';
import { runServiceCommand, printLine } from './service-command.js';

/** The launcher runs this file for `npm run rebuild -- dora`. */
await runServiceCommand('rebuild', async (ctx) => {
  const { projects, changed } = await rebuildAllDora(ctx);
  printLine(`${projects} projects looked at, ${changed} days were not as they should be`);
  return 0;
});
