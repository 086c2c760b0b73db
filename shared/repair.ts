import { repairRepositories } from './repositories/housekeeping/repair-repositories.js';
import type { RepairRequest } from './repositories/housekeeping/repair-repositories.js';
import { EXIT_FAILED, runServiceCommand, printLine } from './service-command.js';

/** The launcher runs this file for `npm run repair`, with the request as JSON. */
await runServiceCommand('repair', async (ctx) => {
  const request = JSON.parse(process.argv[2] ?? '{}') as RepairRequest;
  const { looked, differed, failed } = await repairRepositories(ctx, request, printLine);
  const done = request['dry-run'] ? 'would be brought' : 'were brought';
  printLine(`${looked} repositories looked at, ${differed} ${done} in order, ${failed} could not be read`);
  return failed > 0 || (request['dry-run'] && differed > 0) ? EXIT_FAILED : 0;
});
