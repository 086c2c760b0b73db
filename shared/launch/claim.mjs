import { codeOf, digest, ensureDataDirectory } from './files.mjs';
import { describeHolder, lockHolders, takeLock } from './lock.mjs';
import { inCheckout } from './runtime.mjs';
import { checkPort } from './settings.mjs';

/**
 * @import { Lock, LockState } from './lock.mjs'
 * @import { Settings } from './settings.mjs'
 * @typedef {'all' | 'api' | 'workers'} Mode the kinds of processes that a start runs
 */

/** Where the locks are of what services with different DATA_DIRs share: the build, and the ports. */
export const lockDirectory = inCheckout('.data', 'lock');

/** In DATA_DIR. @type {Record<Mode, string>} */
export const lockNames = { all: 'service-lock', api: 'service-api-lock', workers: 'service-workers-lock' };

/** @param {string} mode @returns {mode is Mode} */
export const isMode = (mode) => Object.hasOwn(lockNames, mode);

/** Its message describes the process that holds a required resource, and the setting to change. */
export class AlreadyRunning extends Error {}

/**
 * The resources of a running service: its DATA_DIR, for the kind of processes that it runs, and its port within the
 * checkout. One checkout can thus run several services, each with a separate DATA_DIR and port.
 */
export class Claim {
  /** @type {Lock[]} */
  locks = [];

  /**
   * Acquires all of them, after waiting for a stopping service to release them. Throws AlreadyRunning if another
   * process keeps one, with its owner and the setting to change, and BadSetting if the port cannot be used.
   * @param {Mode} mode @param {Settings} settings
   */
  static async take(mode, settings) {
    const { dataDir, host, port } = settings;
    const hasPort = mode !== 'workers' && port !== 0;
    const name = hasPort
      ? `port-${port}-of-${host.replaceAll(/[^a-z0-9]/gi, '_')}`
      : `service-${mode}-${digest([dataDir]).slice(0, 16)}`;
    const claim = new Claim();
    /** @param {string} what @returns {(holder: LockState) => string} */
    const deny = (what) => (holder) => {
      const { stopping, brief = stopping ? 'the service' : null, readyAt } = holder;
      if (brief) return `Waiting for ${brief} (pid ${holder.holder.pid}) to end ...`;
      const state = `Capstan is already ${readyAt ? 'running' : 'starting'}${describeHolder(holder)}`;
      throw new AlreadyRunning(`${state}, with ${what}.`);
    };
    const another = 'set DATA_DIR to another directory, and PORT to another port, for one more';
    const denyData = deny(`this DATA_DIR (${dataDir}): ${another}`);
    const denyPort = deny(`this port (${host}:${port}): set PORT to another port, or to 0 for any free one`);
    try {
      // No file is created in DATA_DIR before the port is known to be free. The lock there has no separate directory,
      // because other users with write access could redirect one.
      lockHolders(dataDir, lockNames[mode]).forEach(denyData);
      await claim.#take(lockDirectory, name, {}, hasPort ? denyPort : denyData).catch((error) => {
        // An installation that may not be written to, as a container's.
        if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error) ?? '')) throw error;
      });
      if (mode !== 'workers') await checkPort(settings);
      ensureDataDirectory(dataDir);
      const copyOf = await claim.#take(dataDir, lockNames[mode], {}, denyData);
      if (copyOf)
        console.error(
          `capstan: ${dataDir} is a copy of ${copyOf}, made while a service ran there: that one is left alone, and the database of the copy recovers as after a crash.`,
        );
      return claim;
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  /** @param {Parameters<typeof takeLock>} lock */
  async #take(...lock) {
    const result = await takeLock(...lock);
    if (result) this.locks.push(result.lock);
    return result?.copyOf;
  }

  /** Adds details to the lock files. @param {Partial<LockState>} changes */
  update(changes) {
    for (const lock of this.locks) lock.update(changes);
  }

  release() {
    for (const lock of this.locks) lock.release();
  }
}

/** The pids of the processes that run a service from this checkout. */
export function runningServices() {
  const holders = lockHolders(lockDirectory, '(port|service)-[^.]*');
  return holders.filter(({ running, readyAt }) => running || readyAt).map(({ holder }) => holder.pid);
}
