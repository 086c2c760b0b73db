import { chmodSync, chownSync, existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

import { ensureDataDirectory, ensureDirectory, tighten, writeWhole } from './files.mjs';
import { spawnStep } from './run-step.mjs';
import { serviceUser, whyNotServiceUser } from './service-user.mjs';

/** What API, workers and git keep in DATA_DIR. */
const kept = ['repositories', 'incoming', 'objects', 'avatars'];
const compileCache = 'compile-cache';

/** Stands there while root writes below `kept`: then not all of that belongs to the service's own user. */
const rootMark = 'written-as-root';

/** What else lies there. */
const others =
  /^(lock|postgres|(postgres|service|service-api|service-workers)-lock\.\d+|postgres-password|postgres-start\.log|secret_key_base)$/;

/**
 * Makes DATA_DIR ready for those who are to use it, and closed to all others. Nothing below its first level is looked at, unless it
 * changes hands.
 *
 * @param {string} dataDir absolute
 * @param {string} node the Node that runs the service
 * @param {import('./stop-request.mjs').StopRequest} stop
 * @returns {Promise<{ user: { uid: number, gid: number } | null, reason: string | null }>} `user` is null for "as ourselves";
 *   `reason` says why root must run the service itself
 */
export async function settleDataDirectory(dataDir, node, stop) {
  ensureDataDirectory(dataDir);
  const asRoot = process.getuid?.() === 0;
  const stranger = whoElse(dataDir, asRoot);
  // Where others choose what the names in it lead to, nothing is ours to change.
  if (stranger) return { user: null, reason: asRoot ? stranger : null };
  close(dataDir);
  if (!asRoot) return { user: null, reason: null };
  const reason = whyRoot(dataDir, node) ?? (await handOver(dataDir, stop));
  if (reason) writeWhole(path.join(dataDir, rootMark), '', 0o600);
  renewCompileCache(dataDir, reason ? { uid: 0, gid: 0 } : serviceUser);
  return { user: reason ? null : serviceUser, reason };
}

function whoElse(dataDir, asRoot) {
  const { uid, mode } = statSync(dataDir);
  if (uid !== process.getuid?.()) return `${dataDir} belongs to uid ${uid}`;
  return asRoot && mode & 0o022 ? `others may write to ${dataDir}` : null;
}

/** What earlier versions, or people, left open: closing a directory closes all below it. */
function close(dataDir) {
  const ours = (name) => kept.includes(name) || name === compileCache || others.test(name);
  for (const name of readdirSync(dataDir).filter(ours)) tighten(path.join(dataDir, name), 0o700);
}

function whyRoot(dataDir, node) {
  for (const name of kept) ensureDirectory(path.join(dataDir, name), 0o700);
  // Each may be a link to another disk.
  const above = kept.map((name) => path.dirname(realpathSync(path.join(dataDir, name))));
  return whyNotServiceUser({ node, directories: [dataDir, ...above] });
}

/**
 * Gives what root kept so far to the service's own user.
 *
 * @returns {Promise<string | null>} why it cannot be done
 */
async function handOver(dataDir, stop) {
  const mark = path.join(dataDir, rootMark);
  for (const name of kept) {
    const directory = path.join(dataDir, name);
    const isTheirs = statSync(directory).uid === serviceUser.uid && !existsSync(mark);
    if (!isTheirs && !(await give(directory, stop))) return `${directory} cannot be given to uid ${serviceUser.uid}`;
  }
  rmSync(mark, { force: true });
  return null;
}

/**
 * The directory itself goes last, so that an interrupted handover is begun again; until then only root can enter, and nobody can
 * lead the handover elsewhere.
 */
async function give(directory, stop) {
  const { uid, gid } = serviceUser;
  try {
    chownSync(directory, 0, 0);
    chmodSync(directory, 0o700);
    const names = readdirSync(directory).map((name) => `./${name}`);
    if (names.length > 0) {
      console.log(`Giving ${directory} to uid ${uid} ...`);
      const steps = [
        ['chown', '-hR', `${uid}:${gid}`],
        ['chmod', '-R', 'go='],
      ];
      for (const step of steps) if (!(await runIn(directory, [...step, ...names], stop))) return false;
    }
    chownSync(directory, uid, gid);
    return true;
  } catch (error) {
    console.error(`capstan: ${error.message}`);
    return false;
  }
}

async function runIn(directory, [command, ...args], stop) {
  const step = spawnStep(command, args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  if ((await stop.orStop(step.ended)) === undefined) step.child.kill('SIGTERM');
  return (await step.ended) === 0;
}

/** Compiled code is run unseen, so nobody takes it from another user. */
function renewCompileCache(dataDir, { uid, gid }) {
  const directory = path.join(dataDir, compileCache);
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found?.uid === uid) return;
  if (found) {
    chownSync(directory, 0, 0);
    rmSync(directory, { recursive: true, force: true });
  }
  ensureDirectory(directory, 0o700);
  chownSync(directory, uid, gid);
}
