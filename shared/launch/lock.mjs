import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf, ensureDataDirectory, ensureDirectory, writeWhole } from './files.mjs';
import { describeUser, isRunning, ownIdentity } from './processes.mjs';

/**
 * @import { Identity } from './processes.mjs'
 * @typedef {LockFile & HolderDetails} LockState
 * @typedef {object} LockFile the content of a lock file
 * @property {Identity} holder
 * @property {Identity[]} [helpers] they hold it too, in case the holder exits before them: an npm that continues after
 *   its parent was killed
 * @property {boolean} [isCandidate] whether it still competes with others for the lock
 * @property {boolean} [released] of earlier versions, which left the file in place
 * @property {{ path: string, device: string, inode: string }} [directory] where it was acquired: in a copy of that
 *   directory it is not a lock
 * @property {string} [brief] the purpose of a lock that is held only briefly
 * @property {boolean} [running] whether the holder runs the code installed and built in its checkout
 * @typedef {{ user?: number, since?: string, url?: string, readyAt?: string, stopping?: boolean }} HolderDetails
 */

/** A held lock: the file `<name>.<number>` of a process that runs. */
export class Lock {
  /** @param {string} file @param {LockState} state */
  constructor(file, state) {
    this.file = file;
    this.state = state;
  }

  /** Adds details to its file. @param {Partial<LockState>} changes */
  update(changes) {
    this.state = { ...this.state, ...changes };
    writeWhole(this.file, JSON.stringify(this.state), 0o600);
  }

  release() {
    rmSync(this.file, { force: true });
  }
}

/**
 * Acquires a lock. Each candidate writes a file and then checks for others: of two at the same time at least one sees
 * the other, and if both do, both retry. `copyOf` is the directory that this one was copied from while the lock was
 * held there.
 * @param {string} directory @param {string} name @param {Partial<LockState>} details
 * @param {(holder: LockState) => string | boolean} onHeld whether to wait for a holder, with the message to show in the
 *   meantime
 * @returns {Promise<{ lock: Lock, copyOf?: string } | null>} null if `onHeld` does not wait
 */
export async function takeLock(directory, name, details, onHeld) {
  ensureDataDirectory(path.dirname(directory));
  ensureDirectory(directory, 0o700);
  const own = { user: process.getuid?.(), since: new Date().toISOString(), directory: identifyDirectory(directory) };
  for (let isPrinted = false; ;) {
    const file = path.join(directory, `${name}.${process.pid}${randomInt(100_000, 999_999)}`);
    const lock = new Lock(file, { ...own, ...details, holder: ownIdentity(), isCandidate: true });
    lock.update({});
    const others = locksIn(directory, name).filter((other) => other.file !== file);
    const held = others.find(({ state }) => isHeld(state, directory));
    if (!held) {
      lock.update({ isCandidate: undefined });
      for (const other of others) other.release();
      return { lock, copyOf: others.find(({ state }) => isCopy(state, directory))?.state.directory?.path };
    }
    lock.release();
    const answer = held.state.isCandidate || onHeld(held.state);
    if (answer === false) return null;
    if (typeof answer === 'string' && !isPrinted) console.log(answer);
    isPrinted ||= typeof answer === 'string';
    await sleep(20 + Math.random() * 80);
  }
}

/** Who holds locks now, without taking any. @param {string} directory @param {string} name or a pattern of names */
export function lockHolders(directory, name) {
  const states = locksIn(directory, name).map(({ state }) => state);
  return states.filter((state) => isHeld(state, directory) && !state.isCandidate);
}

/** Who holds a lock, for a sentence: the URL that it serves, its pid, its user, and since when. @param {LockState} state */
export function describeHolder({ holder, url, user, since }) {
  const whose = user === undefined ? [] : [describeUser(user)];
  return `${url ? ` at ${url}` : ''} (${[`pid ${holder.pid}`, ...whose, ...(since ? [`since ${since}`] : [])].join(', ')})`;
}

/** @param {string} directory @param {string} name */
function locksIn(directory, name) {
  try {
    const files = readdirSync(directory).filter((file) => new RegExp(`^${name}\\.\\d+$`).test(file));
    return files.flatMap((file) => readLock(path.join(directory, file)));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Empty if the file no longer exists, or lost its content in a power failure. @param {string} file */
function readLock(file) {
  try {
    return [new Lock(file, JSON.parse(readFileSync(file, 'utf8')))];
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** @param {LockState} state @param {string} directory */
function isHeld(state, directory) {
  return !state.released && !isCopy(state, directory) && [state.holder, ...(state.helpers ?? [])].some(isRunning);
}

/**
 * Whether a lock was copied along with its directory. The original must still exist at its path: some file systems
 * renumber their files, and then the inode numbers alone prove nothing.
 * @param {LockState} state @param {string} directory
 */
function isCopy({ directory: recorded, released }, directory) {
  /** @param {string} at */
  const isIt = (at) => {
    const found = statSync(at, { bigint: true, throwIfNoEntry: false });
    return String(found?.dev) === recorded?.device && String(found?.ino) === recorded?.inode;
  };
  return recorded !== undefined && !released && isIt(recorded.path) && !isIt(directory);
}

/** @param {string} directory */
function identifyDirectory(directory) {
  const real = realpathSync(directory);
  const { dev, ino } = statSync(real, { bigint: true });
  return { path: real, device: String(dev), inode: String(ino) };
}
