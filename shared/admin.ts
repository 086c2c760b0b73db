import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { BadSettings, EXIT_BAD_SETTINGS, loadConfig } from './core/values/config.js';
import { ANONYMOUS } from './core/context/callers.js';
import { databaseProblem } from './core/database/database-problems.js';
import { databaseWork } from './core/database/database-work.js';
import { CapstanError } from './core/values/errors.js';
import { requireSchema } from './instance/process/migrate.js';
import { openServices } from './instance/process/services.js';
import { runAdminCommand } from './auth/administration/admin-commands.js';
import type { AdminRequest } from './auth/administration/admin-commands.js';
import { AdminCommandError } from './auth/administration/admin-users.js';
import { checkKey } from './auth/administration/first-start.js';
import { domains } from './domains.js';

const EXIT_FAILED = 1;

async function firstLine(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('The new password, then Enter: ');
  for await (const line of createInterface({ input: process.stdin })) return line;
  throw new AdminCommandError('--password-stdin reads the new password from standard input, which is empty.');
}

async function run(request: AdminRequest): Promise<void> {
  const config = { ...loadConfig(), logLevel: 'silent' };
  const password = request['password-stdin'] ? await firstLine() : null;
  await requireSchema(config.databaseUrl);
  const services = await openServices(domains, config, 'admin', {
    poolSize: 2,
    work: databaseWork.worker,
    syncSettings: false,
  });
  try {
    await checkKey(services);
    const { text, notes } = await runAdminCommand(services, ANONYMOUS, request, password);
    process.stdout.write(`${text}\n`);
    for (const note of notes) process.stderr.write(`${note}\n`);
  } finally {
    await services.close();
  }
}

/** Formats an error, without a stack if the reader can fix it. */
function formatError(error: unknown): string {
  const problem = databaseProblem(error, process.env.DATABASE_URL ?? '');
  if (problem !== null) return problem;
  return error instanceof AdminCommandError || error instanceof CapstanError || error instanceof BadSettings
    ? error.message
    : inspect(error);
}

/** The launcher runs this file for `npm run admin`, with the command as JSON. */
try {
  await run(JSON.parse(process.argv[2] ?? '{}') as AdminRequest);
} catch (error) {
  for (const line of formatError(error).split('\n')) process.stderr.write(`capstan: ${line}\n`);
  process.exitCode = error instanceof BadSettings ? EXIT_BAD_SETTINGS : EXIT_FAILED;
}
