import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { lockNames } from '#launch/claim.mjs';
import { isRoot, readIfThere } from '#launch/files.mjs';
import { startGuardian } from '#launch/guardian.mjs';
import { takeLock } from '#launch/lock.mjs';
import { checkout, inCheckout, projectNode } from '#launch/runtime.mjs';
import type { Settings } from '#launch/settings.mjs';
import { runStep, stop } from '#launch/steps.mjs';
import { EmbeddedDatabase } from './embedded-database.js';
import { findCluster } from './postgres-location.js';
import { runningUrl } from './postgres.js';

/** How long a service may take to start or to end its database before a command gives up. */
const OTHERS_TIMEOUT_MS = 60_000;

/** A command on a service. */
export interface ServiceCommand {
  /** The compiled file below `dist/shared`. */
  entry: string;
  args: string[];
  /** Run as the owner of the repositories, who must be able to read the files it writes there. */
  onRepositories?: boolean;
  withoutDatabase?: boolean;
}

/**
 * Runs a command on the database of a service, whether or not the service is running: by DATABASE_URL, else on the
 * embedded one of DATA_DIR.
 * @returns its exit code
 */
export async function runOnService(command: ServiceCommand, settings: Settings): Promise<number> {
  const { entry, args, withoutDatabase, onRepositories } = command;
  const { dataDir, databaseUrl } = settings;
  const user = onRepositories ? getOwner(path.join(dataDir, 'repositories')) : {};
  const run = (env: NodeJS.ProcessEnv = {}) =>
    runStep(projectNode(), [inCheckout('dist', 'shared', entry), ...args], {
      ...user,
      cwd: checkout,
      env: { ...process.env, DATA_DIR: dataDir, ...env },
    });
  return databaseUrl || withoutDatabase ? run() : withDatabase(settings, run);
}

/** When run as root, files that a command writes into repositories must be readable by their owner. */
function getOwner(directory: string): { uid?: number; gid?: number } {
  const found = isRoot() ? statSync(directory, { throwIfNoEntry: false }) : undefined;
  return found ? { uid: found.uid, gid: found.gid } : {};
}

/** Uses the embedded database of a DATA_DIR: that of the running service, else started while `use` runs. */
async function withDatabase({ dataDir, secretKeyBase }: Settings, use: (env: NodeJS.ProcessEnv) => Promise<number>) {
  const cluster = existsSync(dataDir) ? findCluster(dataDir) : null;
  if (!cluster)
    throw new Error(
      `There is no ${cluster === null ? '' : 'database in '}${dataDir}: set DATA_DIR to the directory of the service, or DATABASE_URL to its database.`,
    );
  const secret = secretKeyBase ?? readIfThere(path.join(dataDir, 'secret_key_base'))?.trim();
  if (!secret)
    throw new Error(`${dataDir} keeps no secret: set SECRET_KEY_BASE to the one that the service was started with.`);
  process.umask(0o077);
  const end = Date.now() + OTHERS_TIMEOUT_MS;
  let running: string | null = null;
  const result = await takeLock(dataDir, lockNames.all, { brief: 'a command of npm run admin' }, ({ holder }) => {
    running = runningUrl(cluster, dataDir);
    if (!running && Date.now() >= end)
      throw new Error(`The database in ${dataDir} is held by pid ${holder.pid}, and does not run.`);
    return running === null;
  });
  const guardian = startGuardian(projectNode());
  const database = new EmbeddedDatabase(dataDir, guardian);
  const listener = () => undefined;
  stop.on('stop', listener);
  try {
    return await use({ DATABASE_URL: running ?? (await database.start()), SECRET_KEY_BASE: secret });
  } finally {
    await database.stop();
    guardian.release();
    result?.lock.release();
    stop.off('stop', listener);
  }
}
