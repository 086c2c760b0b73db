import { linkSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { identifyDirectory, isCopyOf } from './directory-identity.mjs';
import { ensureDataDirectory, ensureDirectory, writeNamed } from './files.mjs';
import { isRunning, ownIdentity } from './process-identity.mjs';
import { userName } from './user-name.mjs';

/**
 * What a lock's file says. `helpers` hold the lock too, should the holder die before them (an npm that goes on after its
 * parent was killed); `directory` is where it lay when it was taken, as a lock is no lock in a copy of that directory; anything else
 * is for whoever reads it.
 *
 * @typedef {import('./process-identity.mjs').Identity} Identity
 * @typedef {import('./directory-identity.mjs').DirectoryIdentity} DirectoryIdentity
 * @typedef {{ holder: Identity, helpers?: Identity[], released?: boolean, directory?: DirectoryIdentity, [key: string]: unknown }} LockState
 */

/**
 * A held lock. Its file is `<name>.<generation>`; the highest generation counts, is created exactly once (by a hard link), and is
 * never removed while it is the highest. So of two that take over from a dead holder, one gets the next generation and the other
 * finds it there.
 */
export class Lock {
  /**
   * @param {string} directory
   * @param {string} name
   * @param {number} generation
   * @param {LockState} state
   */
  constructor(directory, name, generation, state) {
    this.directory = directory;
    this.name = name;
    this.generation = generation;
    this.state = state;
  }

  /** Adds to what the lock's file says. */
  update(changes) {
    this.state = { ...this.state, ...changes };
    const temporary = writeTemporary(this.directory, this.name, this.state);
    renameSync(temporary, fileOf(this.directory, this.name, this.generation));
  }

  /** Gives the lock back. The file stays, as the highest generation must. */
  release() {
    if (!this.state.released) this.update({ released: true });
  }
}

/**
 * Takes a lock at once, or says who holds it. `previous` is what a holder that died without giving it back had written; `copyOf` is
 * the directory that this one was copied from while a service held the lock there.
 *
 * @param {string} directory
 * @param {string} name
 * @param {Record<string, unknown>} [details]
 * @returns {{ lock: Lock, previous: LockState | null, copyOf: string | null } | { lock: null, holder: LockState }}
 */
export function tryLock(directory, name, details = {}) {
  makeDirectory(directory);
  for (;;) {
    const top = highest(directory, name);
    if (top.state && isHeld(top.state, directory)) return { lock: null, holder: top.state };
    const generation = top.generation + 1;
    const state = { ...details, holder: ownIdentity(), directory: identifyDirectory(directory) };
    if (!create(directory, name, generation, state)) continue;
    if (highest(directory, name).generation !== generation) {
      rmSync(fileOf(directory, name, generation), { force: true });
      continue;
    }
    removeOlder(directory, name, generation - 1);
    const lock = new Lock(directory, name, generation, state);
    const left = top.state?.released ? null : top.state;
    // What a copied file names are the processes of the original: none of ours to end.
    const copied = left !== null && isCopyOf(left.directory, directory);
    return { lock, previous: copied ? null : left, copyOf: copied ? left.directory.path : null };
  }
}

/**
 * Takes a lock, waiting for its holder; `onWait` hears once whom it waits for.
 *
 * @param {string} directory
 * @param {string} name
 * @param {(holder: LockState) => void} onWait
 * @returns {Promise<Lock>}
 */
export async function waitForLock(directory, name, onWait) {
  for (let told = false; ; told = true) {
    const result = tryLock(directory, name);
    if (result.lock) return result.lock;
    if (!told) onWait(result.holder);
    await sleep(100);
  }
}

/**
 * Takes over a lock from the process that hands it on and still lives. Throws when it has gone to someone else meanwhile.
 *
 * @param {string} directory
 * @param {string} name
 * @param {number} generation
 */
export function adoptLock(directory, name, generation) {
  const top = highest(directory, name);
  if (top.generation !== generation || !top.state) throw new Error(`The lock ${name} was lost.`);
  const lock = new Lock(directory, name, generation, top.state);
  lock.update({ holder: ownIdentity(), helpers: [top.state.holder] });
  if (highest(directory, name).generation !== generation) throw new Error(`The lock ${name} was lost.`);
  return lock;
}

/** What a lock tells of whom it belongs to, for {@link describeHolder}. */
export function ownDetails() {
  return { user: process.getuid?.() ?? null, since: new Date().toISOString() };
}

/**
 * Who holds a lock, for a sentence: the URL that it serves, its pid, its user, and since when.
 *
 * @param {LockState} state
 */
export function describeHolder({ holder, url, user, since }) {
  const parts = [
    `pid ${holder.pid}`,
    ...(Number.isInteger(user) ? [userName(user)] : []),
    ...(since ? [`since ${since}`] : []),
  ];
  return `${url ? ` at ${url}` : ''} (${parts.join(', ')})`;
}

/**
 * Who holds a lock now, without taking it.
 *
 * @param {string} directory
 * @param {string} name
 * @returns {LockState | null}
 */
export function lockHolder(directory, name) {
  const { state } = highest(directory, name);
  return state && isHeld(state, directory) ? state : null;
}

function isHeld(state, directory) {
  if (state.released || isCopyOf(state.directory, directory)) return false;
  return [state.holder, ...(state.helpers ?? [])].some(isRunning);
}

function fileOf(directory, name, generation) {
  return path.join(directory, `${name}.${generation}`);
}

function generations(directory, name) {
  try {
    const suffixes = readdirSync(directory)
      .filter((file) => file.startsWith(`${name}.`))
      .map((file) => file.slice(name.length + 1));
    return suffixes.filter((suffix) => /^\d+$/.test(suffix)).map(Number);
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function highest(directory, name) {
  for (;;) {
    const generation = Math.max(0, ...generations(directory, name));
    if (generation === 0) return { generation, state: null };
    try {
      return { generation, state: JSON.parse(readFileSync(fileOf(directory, name, generation), 'utf8')) };
    } catch (error) {
      // A newer holder tidied it away between the two calls.
      if (error.code === 'ENOENT') continue;
      // A machine that lost power may leave an empty file: nobody holds that.
      if (error instanceof SyntaxError) return { generation, state: null };
      throw error;
    }
  }
}

function create(directory, name, generation, state) {
  const temporary = writeTemporary(directory, name, state);
  try {
    linkSync(temporary, fileOf(directory, name, generation));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeTemporary(directory, name, state) {
  const temporary = path.join(directory, `${name}.new-${process.pid}`);
  rmSync(temporary, { force: true });
  writeNamed(temporary, JSON.stringify(state), { flag: 'wx', mode: 0o600 });
  return temporary;
}

function removeOlder(directory, name, oldestKept) {
  for (const generation of generations(directory, name)) {
    if (generation < oldestKept) rmSync(fileOf(directory, name, generation), { force: true });
  }
}

function makeDirectory(directory) {
  try {
    ensureDataDirectory(path.dirname(directory));
    ensureDirectory(directory, 0o700);
  } catch (error) {
    throw new Error(`Cannot keep a lock in ${directory}: ${error.message}`, { cause: error });
  }
}
