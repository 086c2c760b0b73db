import path from 'node:path';

import { readArguments, usage as adminUsage } from './admin-arguments.mjs';
import { runDatabaseCommand } from './database-command.mjs';
import { doubtfulNames } from './near-names.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { readRepairArguments, repairUsage } from './repair-arguments.mjs';
import { runStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';
import { BadUsage, wantsHelp } from './usage.mjs';

/*
 * Commands on a service, for whoever has the machine, while it runs and while it does not. Standard output holds what was asked for, and
 * nothing else. Each resolves to its exit code.
 */

/**
 * `npm run admin`: what can be done for a user without signing in.
 *
 * @param {string[]} words
 */
export async function admin(words) {
  const request = readArguments(words);
  return request ? runDatabaseCommand('admin.js', [JSON.stringify(request)]) : help(adminUsage);
}

/**
 * `npm run repair`: brings what two stores know of the same thing in agreement. Standard output has a line for each difference, and what
 * was done in all; the exit code is 1 when something could not be read, and with --dry-run when something differs.
 *
 * @param {string[]} words
 */
export async function repair(words) {
  const request = readRepairArguments(words);
  if (!request) return help(repairUsage);
  return runDatabaseCommand('repair.js', [JSON.stringify(request)], { onRepositories: true });
}

/**
 * `npm run doctor`: looks whether what the service needs is as it should be. A line for each thing, with what to do where something is
 * wrong; the exit code is 0 when nothing failed, else 1, and 78 when a setting cannot be right.
 */
export async function doctor() {
  for (const doubt of doubtfulNames(process.env)) process.stdout.write(`warn    settings            ${doubt}\n`);
  return runDatabaseCommand('doctor.js');
}

const rebuildUsage = `npm run rebuild -- dora

  computes every day of the DORA metrics anew from deployments, merge requests and incidents

It works while the service runs and while it does not, on the service of the same DATA_DIR or DATABASE_URL.`;

/**
 * `npm run rebuild`: computes anew what is kept beside the data that it follows from. Standard output says how much was not as it should
 * be.
 *
 * @param {string[]} words
 */
export async function rebuild(words) {
  if (wantsHelp(words)) return help(rebuildUsage);
  if (words.length === 0) throw new BadUsage('Say what to rebuild', rebuildUsage);
  if (words.join(' ') !== 'dora') throw new BadUsage(`"${words.join(' ')}" can't be rebuilt`, rebuildUsage);
  return runDatabaseCommand('rebuild.js');
}

const moveUsage = `npm run move-objects -- s3|local

  copies every stored object from the local directory to the bucket of the S3_ settings, or back

It works while the service runs and while it does not, on the service of the same DATA_DIR or DATABASE_URL, and removes nothing. Run it,
start the service with the other OBJECT_STORE, and run it once more for what came meanwhile.`;

/**
 * `npm run move-objects`: copies what the object store holds to another one. Standard output has a line for each object that is missing,
 * and how many were copied; the exit code is 1 when any is missing.
 *
 * @param {string[]} words
 */
export async function moveObjects(words) {
  if (wantsHelp(words)) return help(moveUsage);
  if (!['s3', 'local'].includes(words.join(' '))) throw new BadUsage('Say where to', moveUsage);
  return runDatabaseCommand('move-objects.js', words, { onRepositories: true });
}

const keyUsage = `npm run registry-key -- FILE

  writes the certificate of the service's tokens for the container registry to FILE, and prints the parts of the registry's
  configuration that name it

Key and certificate are made the first time that somebody needs them, and stay. It works while the service runs and while it does not,
on the service of the same DATA_DIR or DATABASE_URL.`;

/**
 * `npm run registry-key`: writes the certificate by which a container registry knows the service's tokens. Standard output is what the
 * registry's configuration must hold, a secret among it.
 *
 * @param {string[]} words
 */
export async function registryKey(words) {
  if (wantsHelp(words)) return help(keyUsage);
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new BadUsage('Say where to', keyUsage);
  return runDatabaseCommand('registry-key.js', [path.resolve(file)]);
}

const archiveUsage = `npm run archive -- inspect FILE
npm run archive -- diff FILE FILE

  inspect  tells the groups, relations, counts, sizes and problems of an archive, as an import would read it
  diff     tells what differs between two, but for ids and times

Exit code 0; 1 where two archives differ; 2 for a file that an import would refuse.`;

/** How many files each takes. */
const filesOfArchive = new Map([
  ['inspect', 1],
  ['diff', 2],
]);

/**
 * `npm run archive`: looks at archives of groups and projects without a database.
 *
 * @param {string[]} words
 */
export async function archive(words) {
  const [command = '', ...files] = words;
  if (command === 'help' || words.some((word) => word === '--help' || word === '-h')) return help(archiveUsage);
  if (filesOfArchive.get(command) !== files.length) throw new BadUsage('Say what to look at', archiveUsage);
  console.log = console.error;
  const named = files.map((file) => path.resolve(process.env.INIT_CWD ?? process.cwd(), file));
  await prepare();
  return runStep(projectNode(), [inCheckout('dist', 'shared', 'archive.js'), command, ...named], { cwd: checkout });
}

/** @param {string} usage */
function help(usage) {
  console.log(usage);
  return 0;
}
