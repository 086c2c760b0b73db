import { inspect } from 'node:util';
import { BadSettings, EXIT_BAD_SETTINGS, loadConfig } from './core/config.js';
import { ANONYMOUS } from './core/callers.js';
import { Context } from './core/context.js';
import { databaseProblem } from './core/database/database-problems.js';
import { databaseWork } from './core/database/database-work.js';
import { CapstanError } from './core/errors.js';
import { isMigrated } from './instance/process/migrate.js';
import { openServices } from './instance/process/services.js';
import { checkKey } from './auth/administration/first-start.js';
import { repairRepositories } from './repositories/repair/repair-repositories.js';
import type { RepairRequest } from './repositories/repair/repair-repositories.js';
import { domains } from './domains.js';

const EXIT_FAILED = 1;

/** What whoever runs it can mend. */
class Refused extends Error {}

/** @returns the exit code */
async function run(request: RepairRequest): Promise<number> {
  const config = { ...loadConfig(), logLevel: 'silent' };
  if (!(await isMigrated(config.databaseUrl)))
    throw new Refused('The database is of an earlier version than this code: start the service once, then try again.');
  const services = await openServices(domains, config, 'repair', {
    poolSize: 2,
    work: databaseWork.worker,
    followSettings: false,
  });
  try {
    await checkKey(services);
    const origin = { requestId: 'command-line', ip: null, actor: 'The command line on this machine' };
    const say = (line: string) => process.stdout.write(`${line}\n`);
    const counts = await repairRepositories(new Context(services, ANONYMOUS, origin), request, say);
    const { looked, differed, failed } = counts;
    const done = request['dry-run'] ? 'would be brought' : 'were brought';
    say(`${looked} repositories looked at, ${differed} ${done} in order, ${failed} could not be read`);
    return failed > 0 || (request['dry-run'] && differed > 0) ? EXIT_FAILED : 0;
  } finally {
    await services.close();
  }
}

/** What to say of an error, without a stack for what its reader can mend. */
function wordsFor(error: unknown): string {
  const problem = databaseProblem(error, process.env.DATABASE_URL ?? '');
  if (problem !== null) return problem;
  const known = error instanceof Refused || error instanceof CapstanError || error instanceof BadSettings;
  return known ? error.message : inspect(error);
}

/** The launcher runs this file for `npm run repair`, with the request as JSON. */
try {
  process.exitCode = await run(JSON.parse(process.argv[2] ?? '{}') as RepairRequest);
} catch (error) {
  for (const line of wordsFor(error).split('\n')) process.stderr.write(`capstan: ${line}\n`);
  process.exitCode = error instanceof BadSettings ? EXIT_BAD_SETTINGS : EXIT_FAILED;
}
