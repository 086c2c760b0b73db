import { realpathSync, statSync } from 'node:fs';

/**
 * A directory that can be told from a copy of it.
 *
 * @typedef {{ path: string, device: string, inode: string }} DirectoryIdentity
 */

/**
 * The identity of an existing directory, to be written into what lies in it.
 *
 * @param {string} directory
 * @returns {DirectoryIdentity}
 */
export function identifyDirectory(directory) {
  const path = realpathSync(directory);
  return { path, ...numbersOf(path) };
}

/**
 * Tests whether a directory is a copy of the one whose identity it holds. The original must still be where it was: file systems exist
 * that number their files anew, and there the numbers alone prove nothing.
 *
 * @param {DirectoryIdentity | undefined} recorded undefined in files of earlier versions
 * @param {string} directory
 */
export function isCopyOf(recorded, directory) {
  if (!recorded) return false;
  const original = numbersOf(recorded.path);
  return original !== null && isSame(original, recorded) && !isSame(numbersOf(directory), recorded);
}

function numbersOf(path) {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? { device: String(found.dev), inode: String(found.ino) } : null;
}

function isSame(one, other) {
  return one?.device === other.device && one.inode === other.inode;
}
