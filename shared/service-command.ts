import { inspect } from 'node:util';
import { BadSettings, EXIT_BAD_SETTINGS, loadConfig } from './core/values/config.js';
import { ANONYMOUS } from './core/context/callers.js';
import { Context } from './core/context/context.js';
import { databaseProblem } from './core/database/database-problems.js';
import { databaseWork } from './core/database/database-work.js';
import { CapstanError } from './core/values/errors.js';
import { requireSchema } from './instance/process/migrate.js';
import { openServices } from './instance/process/services.js';
import { checkKey } from './auth/administration/first-start.js';
import { domains } from './domains.js';

/** What a command exits with that did not do all that it was told to. */
export const EXIT_FAILED = 1;

/** @returns the exit code that `work` gives */
async function run(name: string, work: (ctx: Context) => Promise<number>): Promise<number> {
  const config = { ...loadConfig(), logLevel: 'silent' };
  await requireSchema(config.databaseUrl);
  const services = await openServices(domains, config, name, {
    poolSize: 2,
    work: databaseWork.worker,
    syncSettings: false,
  });
  try {
    await checkKey(services);
    const origin = { requestId: 'command-line', ip: null, actor: 'The command line on this machine' };
    return await work(new Context(services, ANONYMOUS, origin));
  } finally {
    await services.close();
  }
}

/** What to say of an error, without a stack for what its reader can mend. */
function formatError(error: unknown): string {
  const problem = databaseProblem(error, process.env.DATABASE_URL ?? '');
  if (problem !== null) return problem;
  const isExpected = error instanceof CapstanError || error instanceof BadSettings;
  return isExpected ? error.message : inspect(error);
}

/**
 * Runs a command of the command line on the service's database, beside the running service or alone, and sets the exit
 * code of the process.
 * @param name what the queue and the database know the process by
 * @param work what it does, as the machine itself; its exit code
 */
export async function runServiceCommand(name: string, work: (ctx: Context) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run(name, work);
  } catch (error) {
    for (const line of formatError(error).split('\n')) process.stderr.write(`capstan: ${line}\n`);
    process.exitCode = error instanceof BadSettings ? EXIT_BAD_SETTINGS : EXIT_FAILED;
  }
}

/** A line of standard output. */
export const printLine = (line: string): unknown => process.stdout.write(`${line}\n`);
