import { runDatabaseCommand } from './database-command.mjs';
import { runEntry } from './entry.mjs';
import { readRepairArguments, repairUsage } from './repair-arguments.mjs';

/*
 * npm run repair: brings what two stores know of the same thing in agreement. Standard output has a line for each difference, and what
 * was done in all; the exit code is 1 when something could not be read, and with --dry-run when something differs.
 */

await runEntry(async () => {
  const request = readRepairArguments(process.argv.slice(2));
  if (!request) {
    console.log(repairUsage);
    return 0;
  }
  return runDatabaseCommand('repair.js', [JSON.stringify(request)], { onRepositories: true });
});
