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

/** Exit code of a command that did not complete all of its work. */
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

/** Formats an error, without a stack if the reader can fix it. */
function formatError(error: unknown): string {
  const problem = databaseProblem(error, process.env.DATABASE_URL ?? '');
  if (problem !== null) return problem;
  const isExpected = error instanceof CapstanError || error instanceof BadSettings;
  return isExpected ? error.message : inspect(error);
}

/**
 * Runs a command on the service's database, whether or not the service is running, and sets the exit code of the
 * process.
 * @param name identifies the process to the queue and the database
 * @param work the work of the command, run as the service itself; returns its exit code
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
