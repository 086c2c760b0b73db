import pg from 'pg';
import { BadSettings, loadConfig } from './core/values/config.js';
import type { Config } from './core/values/config.js';
import { databaseProblem } from './core/database/database-problems.js';
import { databaseWork, sessionLimits } from './core/database/database-work.js';
import { broken, CHECK_MS, fine, collectFindings, formatFinding } from './instance/doctor/finding.js';
import type { Finding } from './instance/doctor/finding.js';
import {
  findBloat,
  findClockOffset,
  findMigrations,
  findQueueLag,
  findServerSettings,
  findVersion,
} from './instance/doctor/database-findings.js';
import { findCollector, findDisk, findService, findVersions } from './instance/doctor/machine-findings.js';
import { findRepositories } from './repositories/housekeeping/repository-findings.js';

const CONNECT_MS = 4000;

function readConfig(): Config | Finding[] {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof BadSettings)) throw error;
    return error.problems.map((problem) =>
      broken('settings', problem.replace(/\.$/, ''), '/help/configuration lists what each may be.'),
    );
  }
}

async function findInDatabase(config: Config): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    application_name: 'capstan-doctor',
    ...sessionLimits(databaseWork.listener),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CHECK_MS,
  });
  // A lost connection also fails the pending query.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    const message = databaseProblem(error, config.databaseUrl) ?? 'it cannot be connected to';
    return [broken('database', message.replace(/\.$/, ''), 'Start it, or correct DATABASE_URL.')];
  }
  const findings: Finding[] = [];
  try {
    const checks: [string, () => Promise<Finding[]>][] = [
      ['database', () => findVersion(client)],
      ['database settings', () => findServerSettings(client, config)],
      ['clock', () => findClockOffset(client)],
      ['migrations', () => findMigrations(client)],
      ['database bloat', () => findBloat(client)],
      ['queue', () => findQueueLag(client)],
      ['repositories', () => findRepositories(client, config)],
    ];
    for (const [component, check] of checks) {
      const found = await collectFindings(component, check);
      findings.push(...found);
      // What follows reads tables that are not there, or not as this code knows them.
      if (component === 'migrations' && found.some(({ state }) => state === 'failed')) break;
    }
  } finally {
    await client.end().catch(() => undefined);
  }
  return findings;
}

/** The launcher runs this file for `npm run doctor`. */
async function main(): Promise<number> {
  const config = readConfig();
  const found = Array.isArray(config)
    ? [config]
    : await Promise.all([
        Promise.resolve([fine('settings', 'each is what it may be')]),
        collectFindings('node', findVersions),
        collectFindings('disk', () => findDisk(config)),
        findInDatabase(config),
        collectFindings('EXTERNAL_URL', () => findService(config)),
        collectFindings('traces', () => findCollector(process.env)),
      ]);
  const findings = found.flat();
  process.stdout.write(`${findings.map(formatFinding).join('\n')}\n`);
  return findings.some(({ state }) => state === 'failed') ? 1 : 0;
}

process.exit(await main());
