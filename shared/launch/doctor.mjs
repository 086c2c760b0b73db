import { runDatabaseCommand } from './database-command.mjs';
import { runEntry } from './entry.mjs';
import { doubtfulNames } from './near-names.mjs';

/*
 * npm run doctor: looks whether what the service needs is as it should be. A line for each thing, with what to do where something is
 * wrong; the exit code is 0 when nothing failed, else 1, and 78 when a setting cannot be right.
 */

await runEntry(async () => {
  for (const doubt of doubtfulNames(process.env)) process.stdout.write(`warn    settings            ${doubt}\n`);
  return runDatabaseCommand('doctor.js');
});
