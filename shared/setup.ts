import { inspect, styleText } from 'node:util';
import pg from 'pg';
import { BadSettings, EXIT_BAD_SETTINGS, loadConfig } from './core/values/config.js';
import type { Config } from './core/values/config.js';
import { databaseProblem } from './core/database/database-problems.js';
import { databaseWork, sessionLimits } from './core/database/database-work.js';
import { domains } from './domains.js';
import { setUp } from './auth/administration/first-start.js';
import { credentialLines, KEPT_UNTIL } from './auth/administration/initial-credentials.js';
import type { InitialCredentials } from './auth/administration/initial-credentials.js';
import { missingRepositoriesWarning } from './repositories/housekeeping/missing-repositories.js';

const RULE = '─'.repeat(72);

/** What whoever started it shall not overlook. */
interface Announcement {
  /** The password and token of an administrator whom nobody has been yet, set apart from all else. */
  firstStart?: string;
  warnings: string[];
}

function framed(made: InitialCredentials): string | undefined {
  const lines = credentialLines(made);
  if (lines.length === 0) return undefined;
  return [
    RULE,
    '  Sign in as the administrator "root":',
    ...lines.map((line) => `  ${styleText('bold', line, { stream: process.stdout })}`),
    `  ${KEPT_UNTIL}`,
    '  To show them again: npm run admin -- show-initial-credentials',
    RULE,
  ].join('\n');
}

async function warningsFor(config: Config): Promise<string[]> {
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    application_name: 'capstan-setup',
    ...sessionLimits(databaseWork.listener),
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const warning = await missingRepositoriesWarning(client, config);
    return warning === null ? [] : [warning];
  } finally {
    await client.end();
  }
}

/** The supervisor shows it when the service is ready, below all that is said until then. */
function announce({ firstStart, warnings }: Announcement) {
  if (process.send) {
    process.send({ firstStart, warnings });
    return;
  }
  for (const warning of warnings) process.stderr.write(`capstan: ${warning}\n`);
  if (firstStart) process.stdout.write(`\n${firstStart}\n`);
}

/** The launcher runs this file once for each start. */
async function main(): Promise<void> {
  try {
    // The launcher has one for its own database; any other needs a secret that all machines share.
    if (!process.env.SECRET_KEY_BASE)
      throw new BadSettings(['SECRET_KEY_BASE must be set when DATABASE_URL is: a secret of at least 32 characters.']);
    const config = loadConfig();
    const made = await setUp(domains, config, process.env);
    announce({ firstStart: made ? framed(made) : undefined, warnings: await warningsFor(config) });
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
