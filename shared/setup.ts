import { inspect } from 'node:util';
import { BadSettings, EXIT_BAD_SETTINGS, loadConfig } from './core/config.js';
import { databaseProblem } from './core/database/database-problems.js';
import { domains } from './domains.js';
import { setUp } from './auth/administration/first-start.js';
import type { FirstStart } from './auth/administration/first-start.js';

function announce(made: FirstStart) {
  const lines = ['', '  First start: the administrator "root" was created.'];
  if (made.token) lines.push(`  Access token (all scopes):  ${made.token}`);
  if (made.password) lines.push(`  Password:                   ${made.password}`);
  if (made.token ?? made.password) lines.push('  They are shown this once and stored nowhere in plain text.');
  const text = lines.join('\n');
  // The supervisor shows them when the service is ready, below all that is said until then.
  if (process.send) process.send({ firstStart: `${text}\n` });
  else process.stdout.write(`${text}\n\n`);
}

/** The launcher runs this file once for each start. */
async function main(): Promise<void> {
  try {
    // The launcher has one for its own database; any other needs a secret that all machines share.
    if (!process.env.SECRET_KEY_BASE)
      throw new BadSettings(['SECRET_KEY_BASE must be set when DATABASE_URL is: a secret of at least 32 characters.']);
    const made = await setUp(domains, loadConfig(), process.env);
    if (made) announce(made);
  } catch (error) {
    if (error instanceof BadSettings) {
      for (const problem of error.problems) process.stderr.write(`capstan: ${problem}\n`);
      process.exitCode = EXIT_BAD_SETTINGS;
      return;
    }
    const problem = databaseProblem(error, process.env.DATABASE_URL ?? '');
    if (problem !== null) {
      process.stderr.write(`capstan: ${problem}\n`);
      process.exitCode = 1;
      return;
    }
    process.stderr.write(`capstan: the database could not be prepared: ${inspect(error)}\n`);
    process.exitCode = 1;
  }
}

await main();
