import { domains } from '../../../shared/domains.js';
import path from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../../shared/core/values/config.js';
import { Keys } from '../../../shared/core/values/secrets.js';
import { setUp } from '../../../shared/auth/administration/first-start.js';
import { adminUrl, databaseUrl } from '../../core/databases.js';
import { CALLERS } from './callers.js';
import { fill } from './fill.js';
import { fillRepositories } from './repositories.js';

/*
 * npm run bench:seed -- --scale N: fills the database of DATABASE_URL, whose secrets are encrypted with
 * SECRET_KEY_BASE. Without DATABASE_URL it fills a temporary database, to verify that it works and how long it takes,
 * and drops it again.
 */

const printLine = (line: string) => process.stdout.write(`${line}\n`);

function getScale(args: readonly string[]): number {
  const at = args.indexOf('--scale');
  const scale = at < 0 ? 1 : Number(args[at + 1]);
  if (!(scale > 0 && scale <= 100))
    throw new Error('--scale wants a number above 0, at most 100; 1 is 100,000 projects.');
  return scale;
}

/** The environment for setting up the database: the caller's, or that of this run's temporary database. */
async function environment(): Promise<NodeJS.ProcessEnv> {
  if (process.env.CAPSTAN_SEED_DATABASE_URL)
    return { ...process.env, DATABASE_URL: process.env.CAPSTAN_SEED_DATABASE_URL };
  const name = 'capstan_seed';
  const directory = process.env.CAPSTAN_TEST_DIRECTORY;
  if (!directory) throw new Error('CAPSTAN_TEST_DIRECTORY is not set: fill by "npm run bench:seed".');
  const admin = new pg.Client({ connectionString: adminUrl() });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return {
    DATABASE_URL: databaseUrl(name),
    DATA_DIR: path.join(directory, 'data'),
    SECRET_KEY_BASE: 'a secret for measuring, of at least 32 characters',
    INITIAL_ROOT_TOKEN: 'a-token-of-the-administrator',
    INITIAL_ROOT_PASSWORD: 'a password of the administrator',
  };
}

async function main(args: readonly string[]) {
  const scale = getScale(args);
  const env = await environment();
  const config = loadConfig(env);
  const first = await setUp(domains, config, env);
  if (first?.token) printLine(`The administrator's token is ${first.token}`);
  const db = new pg.Client({ connectionString: config.databaseUrl, application_name: 'capstan-seed' });
  await db.connect();
  const began = performance.now();
  try {
    const sizes = await fill(db, new Keys(config.secretKeyBase), scale, (part, seconds) =>
      printLine(`  ${part}: ${seconds.toFixed(1)} s`),
    );
    const withRefs = await fillRepositories(db, sizes, config.dataDir);
    const { rows } = await db.query<{ memberships: number }>(
      `select (select count(*) from group_members) + (select count(*) from project_members) as memberships`,
    );
    printLine(
      `${sizes.projects} projects, ${sizes.groups} groups, ${sizes.users} users, ${rows[0]?.memberships} memberships`,
    );
    printLine(`  projects ${withRefs.join(', ')} have 5,000 branches and 10,000 tags, in ${config.dataDir}`);
    for (const [name, { token }] of Object.entries(CALLERS)) printLine(`  token of the ${name}: ${token}`);
    printLine(`filled in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  } finally {
    await db.end();
  }
}

await main(process.argv.slice(2));
