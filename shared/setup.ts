import { inspect, styleText } from 'node:util';
import pg from 'pg';
import { BadSettings, EXIT_BAD_SETTINGS, loadConfig } from './core/values/config.js';
import type { Config } from './core/values/config.js';
import { databaseProblem } from './core/database/database-problems.js';
import { databaseWork, sessionLimits } from './core/database/database-work.js';
import type { InitialCredentials } from './auth/administration/initial-credentials.js';
import { SetupRecord } from './auth/administration/setup-record.js';
import { missingRepositoriesWarning } from './repositories/housekeeping/missing-repositories.js';

/** An unreachable host is reported while the user is still watching. */
const CONNECT_MS = 10_000;
const RULE = '─'.repeat(72);

/** Messages that the user who started the service must not miss. */
interface Announcement {
  /**
   * The initial password and token of an administrator account that has not been used yet, displayed separately from
   * all other output.
   */
  firstStart?: string;
  warnings: string[];
}

async function framed(credentials: InitialCredentials): Promise<string | undefined> {
  const { credentialLines, RETENTION_NOTE } = await import('./auth/administration/initial-credentials.js');
  const lines = credentialLines(credentials);
  if (lines.length === 0) return undefined;
  return [
    RULE,
    '  Sign in as the administrator "root":',
    ...lines.map((line) => `  ${styleText('bold', line, { stream: process.stdout })}`),
    `  ${RETENTION_NOTE}`,
    '  To show them again: npm run admin -- show-initial-credentials',
    RULE,
  ].join('\n');
}

/** Sets up everything that differs from the last setup of this build. Only then is the whole service loaded. */
async function setUpDatabase(config: Config): Promise<Announcement> {
  const { CAPSTAN_BUILD: build, INITIAL_ROOT_TOKEN: token, INITIAL_ROOT_PASSWORD: password } = process.env;
  const record = build ? new SetupRecord(config, build) : null;
  if (record?.exists && !token && !password) {
    const warnings = await withClient(config, async (client) =>
      (await record.isCurrent(client)) ? warningsFor(client, config) : null,
    );
    if (warnings) return { warnings };
  }
  const [{ setUp }, { domains }] = await Promise.all([
    import('./auth/administration/first-start.js'),
    import('./domains.js'),
  ]);
  const credentials = await setUp(domains, config, process.env);
  return withClient(config, async (client) => {
    await record?.write(client);
    return {
      firstStart: credentials ? await framed(credentials) : undefined,
      warnings: await warningsFor(client, config),
    };
  });
}

async function withClient<T>(config: Config, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    application_name: 'capstan-setup',
    connectionTimeoutMillis: CONNECT_MS,
    ...sessionLimits(databaseWork.listener),
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function warningsFor(client: pg.Client, config: Config): Promise<string[]> {
  const warning = await missingRepositoriesWarning(client, config);
  return warning === null ? [] : [warning];
}

/** The supervisor prints it when the service is ready, after all earlier output. */
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
    announce(await setUpDatabase(config));
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
