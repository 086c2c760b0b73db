import { BadUsage } from './admin-arguments.mjs';
import { runDatabaseCommand } from './database-command.mjs';
import { runEntry } from './entry.mjs';

/*
 * npm run move-objects: copies what the object store holds to another one. Standard output has a line for each object that is missing,
 * and how many were copied; the exit code is 1 when any is missing.
 */

const usage = `npm run move-objects -- s3|local

  copies every stored object from the local directory to the bucket of the S3_ settings, or back

It works while the service runs and while it does not, on the service of the same DATA_DIR or DATABASE_URL, and removes nothing. Run it,
start the service with the other OBJECT_STORE, and run it once more for what came meanwhile.`;

await runEntry(async () => {
  const words = process.argv.slice(2);
  if (words.some((word) => word === '--help' || word === '-h' || word === 'help')) {
    console.log(usage);
    return 0;
  }
  if (words.length !== 1 || !['s3', 'local'].includes(words[0])) throw new BadUsage(`Say where to:\n\n${usage}`);
  return runDatabaseCommand('move-objects.js', words, { onRepositories: true });
});
