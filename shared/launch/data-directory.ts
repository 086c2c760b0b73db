import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { codeOf, ensureDataDirectory, ensureDirectory, isRoot, tighten, writeWhole } from '#launch/files.mjs';
import { checkout, inCheckout } from '#launch/runtime.mjs';
import { runStep } from '#launch/steps.mjs';

/**
 * The user that API, workers and git run as when started by root (decision 23). No operating system assigns this number
 * to a user, and it needs no entry in /etc/passwd.
 */
const SERVICE_USER = { uid: 65_530, gid: 65_530 };

/** What API, workers and git keep in DATA_DIR. */
const DIRECTORIES = ['repositories', 'incoming', 'objects', 'avatars'];
const COMPILE_CACHE = 'compile-cache';
/** What else lies there. */
const OTHERS =
  /^(lock|postgres|(postgres|service|service-api|service-workers)-lock\.\d+|postgres-password|postgres-start\.log|secret_key_base)$/;
/** Exists while root writes below `DIRECTORIES`: some files there then do not belong to the service's own user. */
const ROOT_MARK = 'written-as-root';

/**
 * Prepares DATA_DIR for its users, and closes it to all others. Nothing below its first level is checked, unless its
 * owner changes.
 * @param node the Node that runs the service
 * @returns `user` is null for the current user; `reason` is why root must run the service itself
 */
export async function settleDataDirectory(dataDir: string, node: string) {
  ensureDataDirectory(dataDir);
  const stranger = otherOwner(dataDir);
  // If other users control the targets of the names in it, nothing may be changed.
  if (stranger) return { user: null, reason: isRoot() ? stranger : null };
  // What earlier versions, or people, left open: closing a directory closes all below it.
  const ours = (name: string) => DIRECTORIES.includes(name) || name === COMPILE_CACHE || OTHERS.test(name);
  for (const name of readdirSync(dataDir).filter(ours)) tighten(path.join(dataDir, name), 0o700);
  if (!isRoot()) return { user: null, reason: null };
  for (const name of DIRECTORIES) ensureDirectory(path.join(dataDir, name), 0o700);
  const reason = obstacleFor(dataDir, node) ?? (await handOver(dataDir));
  if (reason) writeWhole(path.join(dataDir, ROOT_MARK), '', 0o600);
  renewCompileCache(path.join(dataDir, COMPILE_CACHE), reason ? { uid: 0, gid: 0 } : SERVICE_USER);
  return { user: reason ? null : SERVICE_USER, reason };
}

function otherOwner(dataDir: string): string | null {
  const { uid, mode } = statSync(dataDir);
  if (uid !== process.getuid?.()) return `${dataDir} belongs to uid ${uid}`;
  return isRoot() && mode & 0o022 ? `others may write to ${dataDir}` : null;
}

/** Runs as that user, so that the system itself answers: writes the first argument that is closed, directories ending in a slash. */
const PROBE = `for file; do
  case $file in
    */) test -x "$file" ;;
    *) test -r "$file" ;;
  esac || { printf %s "$file"; exit 1; }
done`;

/** Why the service cannot run as its own user, or null when it can: that user must reach everything that it loads. */
function obstacleFor(dataDir: string, node: string): string | null {
  const loaded = ['package.json', 'dist/shared/setup.js', 'dist/api/web/pages.json', 'node_modules/koa/package.json'];
  // Each of DATA_DIR may be a link to another disk.
  const above = DIRECTORIES.map((name) => path.dirname(realpathSync(path.join(dataDir, name))));
  const entered = new Set([checkout, dataDir, ...above, path.dirname(node)].flatMap(downTo));
  const args = ['-c', PROBE, 'sh', ...entered, ...loaded.map((file) => inCheckout(file)), node];
  const options = { ...SERVICE_USER, cwd: '/', env: {}, encoding: 'utf8' } as const;
  const { error, status, stdout, stderr } = spawnSync('/bin/sh', args, options);
  if (error) return `nothing can be started as uid ${SERVICE_USER.uid} here (${codeOf(error)})`;
  if (status === 0) return null;
  const closed = stdout.replace(/(.)\/$/, '$1') || stderr.trim();
  return `uid ${SERVICE_USER.uid} cannot ${stdout.endsWith('/') ? 'enter' : 'read'} ${closed}`;
}

/** A directory and all above it, from the top, each with a slash at its end. */
function downTo(directory: string): string[] {
  const real = realpathSync(directory);
  const parent = path.dirname(real);
  return parent === real ? [real] : [...downTo(parent), `${real}/`];
}

/** Transfers files owned by root to the service's own user. @returns the reason on failure */
async function handOver(dataDir: string): Promise<string | null> {
  const mark = path.join(dataDir, ROOT_MARK);
  for (const directory of DIRECTORIES.map((name) => path.join(dataDir, name))) {
    if (statSync(directory).uid === SERVICE_USER.uid && !existsSync(mark)) continue;
    if (!(await give(directory))) return `${directory} cannot be given to uid ${SERVICE_USER.uid}`;
  }
  rmSync(mark, { force: true });
  return null;
}

/**
 * The directory itself is transferred last, so that an interrupted handover is repeated; until then only root can
 * enter, and no other user can redirect the handover.
 */
async function give(directory: string): Promise<boolean> {
  const { uid, gid } = SERVICE_USER;
  chownSync(directory, 0, 0);
  chmodSync(directory, 0o700);
  if (readdirSync(directory).length > 0) {
    console.log(`Giving ${directory} to uid ${uid} ...`);
    const owner = ['-mindepth', '1', '-exec', 'chown', '-h', `${uid}:${gid}`, '{}', '+'];
    if ((await runStep('find', ['.', ...owner], { cwd: directory })) !== 0) return false;
    if ((await runStep('chmod', ['-R', 'go=', '.'], { cwd: directory })) !== 0) return false;
  }
  chownSync(directory, uid, gid);
  return true;
}

/** Compiled code runs without any check, so it is never accepted from another user. */
function renewCompileCache(directory: string, { uid, gid }: { uid: number; gid: number }): void {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found?.uid === uid) return;
  // From here on no other user can write there.
  if (found) chownSync(directory, 0, 0);
  rmSync(directory, { recursive: true, force: true });
  ensureDirectory(directory, 0o700);
  chownSync(directory, uid, gid);
}
