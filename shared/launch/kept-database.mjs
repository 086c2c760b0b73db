import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Database } from './database.mjs';
import { readIfThere } from './files.mjs';
import { startGuardian } from './guard.mjs';
import { runningUrl } from './postgres.mjs';
import { clusterOf } from './postgres-place.mjs';
import { projectNode } from './runtime.mjs';

/** How long a service may take to start or to end its database before we give up, in milliseconds. */
const patience = 60_000;

/**
 * As root, goes on as the user whose DATA_DIR it is, so that nothing of root's is left there. Throws when it is another user's and we
 * are not root, or when there is none.
 *
 * @param {string} dataDir absolute
 */
export function becomeOwner(dataDir) {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  if (!found)
    throw new Error(
      `There is no ${dataDir}: set DATA_DIR to the directory of the service, or DATABASE_URL to its database.`,
    );
  const uid = process.getuid?.();
  if (uid === undefined || found.uid === uid) return;
  if (uid !== 0) throw new Error(`${dataDir} belongs to uid ${found.uid}: run this as that user, or as root.`);
  process.setgroups([found.gid]);
  process.setgid(found.gid);
  process.setuid(found.uid);
}

/**
 * Uses the embedded database of a DATA_DIR: that of the running service, else started for as long as `use` runs.
 *
 * @template T
 * @param {string} dataDir absolute
 * @param {import('./stop-request.mjs').StopRequest} stop
 * @param {string | undefined} given SECRET_KEY_BASE, where it is set; else the one that the service keeps
 * @param {(database: { url: string, secret: string }) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withKeptDatabase(dataDir, stop, given, use) {
  const cluster = clusterOf(dataDir);
  const secret = given ?? readIfThere(path.join(dataDir, 'secret_key_base'))?.trim();
  if (cluster && !secret)
    throw new Error(`${dataDir} keeps no secret: set SECRET_KEY_BASE to the one that the service was started with.`);
  if (!cluster)
    throw new Error(
      `There is no database in ${dataDir}: set DATA_DIR to the directory of the service, or DATABASE_URL to its database.`,
    );
  process.umask(0o077);
  const guardian = startGuardian(projectNode());
  const database = new Database(dataDir, guardian, stop);
  try {
    const running = await claimOrFind(database, cluster, stop);
    return await use({ url: running ?? (await database.start()), secret });
  } finally {
    await database.stop();
    guardian.release();
  }
}

/** @returns {Promise<string | null>} the URL of the database that a service runs; null when it is ours to start */
async function claimOrFind(database, cluster, stop) {
  for (const end = Date.now() + patience; ; await stop.orStop(sleep(100))) {
    const holder = database.tryClaim('a command of npm run admin');
    if (!holder) return null;
    const url = runningUrl(cluster, database.dataDir);
    if (url) return url;
    if (stop.signal || Date.now() >= end)
      throw new Error(`The database in ${database.dataDir} is held by pid ${holder.holder.pid}, and does not run.`);
  }
}
