import { BadUsage } from './admin-arguments.mjs';
import { runDatabaseCommand } from './database-command.mjs';
import { runEntry } from './entry.mjs';

/*
 * npm run rebuild -- dora: computes anew what is kept beside the data that it follows from. Standard output says how much was not as it
 * should be.
 */

const usage = `npm run rebuild -- dora

  computes every day of the DORA metrics anew from deployments, merge requests and incidents

It works while the service runs and while it does not, on the service of the same DATA_DIR or DATABASE_URL.`;

await runEntry(async () => {
  const words = process.argv.slice(2);
  if (words.some((word) => word === '--help' || word === '-h' || word === 'help')) {
    console.log(usage);
    return 0;
  }
  if (words.length === 0) throw new BadUsage(`Say what to rebuild:\n\n${usage}`);
  if (words.join(' ') !== 'dora') throw new BadUsage(`"${words.join(' ')}" can't be rebuilt:\n\n${usage}`);
  return runDatabaseCommand('rebuild.js');
});
