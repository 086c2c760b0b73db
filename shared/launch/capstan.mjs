import { statSync } from 'node:fs';

import { prepare } from './build.mjs';
import { isRoot } from './files.mjs';
import { inCheckout } from './runtime.mjs';
import { readSettings } from './settings.mjs';
import { runEntry, start } from './start.mjs';

/*
 * What package.json's scripts run: `node shared/launch/capstan.mjs start [api|workers] [--no-runner]`, or a command on a service with its arguments.
 * Any Node from 18 runs it, before anything is installed.
 */

/** @param {string} name @param {string[]} args */
async function runCommand(name, args) {
  // Standard output is the command's alone.
  console.log = console.error;
  const settings = readSettings();
  if (!['archive', 'runner'].includes(name) && !settings.databaseUrl) becomeOwner(settings.dataDir);
  await prepare();
  /** @type {typeof import('../command-line.js')} */
  const { readCommand } = await import(inCheckout('dist', 'shared', 'command-line.js'));
  /** @type {typeof import('./run-command.js')} */
  const { runOnService } = await import(inCheckout('dist', 'shared', 'launch', 'run-command.js'));
  const command = readCommand(name, args);
  if (typeof command !== 'string') return runOnService(command, settings);
  process.stdout.write(`${command}\n`);
  return 0;
}

/**
 * Switches from root to the owner of DATA_DIR, so that no files of root are left there.
 * @param {string} dataDir absolute
 */
function becomeOwner(dataDir) {
  const { uid, gid } = statSync(dataDir, { throwIfNoEntry: false }) ?? {};
  if (uid === undefined || gid === undefined || uid === process.getuid?.()) return;
  if (!isRoot()) throw new Error(`${dataDir} belongs to uid ${uid}: run this as that user, or as root.`);
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

const [name = '', ...args] = process.argv.slice(2);
if (name === 'start' && args.includes('--no-runner')) process.env.RUNNER_BUILT_IN = 'off';
const [mode] = args.filter((word) => word !== '--no-runner');
await runEntry(() => (name === 'start' ? start(mode) : runCommand(name, args)));
