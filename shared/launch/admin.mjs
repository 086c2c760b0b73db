import { readArguments, usage } from './admin-arguments.mjs';
import { runDatabaseCommand } from './database-command.mjs';
import { runEntry } from './entry.mjs';

/*
 * npm run admin: what whoever has the machine can do for a user without signing in. Standard output holds what was asked for, and
 * nothing else.
 */

await runEntry(async () => {
  const request = readArguments(process.argv.slice(2));
  if (!request) {
    console.log(usage);
    return 0;
  }
  return runDatabaseCommand('admin.js', [JSON.stringify(request)]);
});
