import path from 'node:path';

import { BadUsage } from './admin-arguments.mjs';
import { runDatabaseCommand } from './database-command.mjs';
import { runEntry } from './entry.mjs';

/*
 * npm run registry-key: writes the certificate by which a container registry knows the service's tokens. Standard output is what the
 * registry's configuration must hold, a secret among it.
 */

const usage = `npm run registry-key -- FILE

  writes the certificate of the service's tokens for the container registry to FILE, and prints the parts of the registry's
  configuration that name it

Key and certificate are made the first time that somebody needs them, and stay. It works while the service runs and while it does not,
on the service of the same DATA_DIR or DATABASE_URL.`;

await runEntry(async () => {
  const words = process.argv.slice(2);
  if (words.some((word) => word === '--help' || word === '-h' || word === 'help')) {
    console.log(usage);
    return 0;
  }
  if (words.length !== 1) throw new BadUsage(`Say where to:\n\n${usage}`);
  return runDatabaseCommand('registry-key.js', [path.resolve(words[0])]);
});
