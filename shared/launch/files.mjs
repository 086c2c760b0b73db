import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes a directory with just this mode (whatever the umask); one that exists is left as it is.
 *
 * @param {string} directory
 * @param {number} mode
 */
export function ensureDirectory(directory, mode) {
  const parent = path.dirname(directory);
  if (parent !== directory) mkdirSync(parent, { recursive: true });
  try {
    mkdirSync(directory);
    chmodSync(directory, mode);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

/**
 * DATA_DIR or a directory like it: private, but as root passable, as PostgreSQL and the service then run as other users inside it.
 * What lies in it carries its own mode.
 *
 * @param {string} directory
 */
export function ensureDataDirectory(directory) {
  ensureDirectory(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/**
 * Takes from a file or directory the permissions beyond these, where there are any and it is ours to do.
 *
 * @param {string} file
 * @param {number} mode
 */
export function tighten(file, mode) {
  const found = statSync(file, { throwIfNoEntry: false });
  const asRoot = process.getuid?.() === 0;
  if (found && found.mode & 0o777 & ~mode && (asRoot || found.uid === process.getuid?.()))
    chmodSync(file, found.mode & (mode | 0o7000));
}

/**
 * Writes a file whole, with just this mode (whatever the umask): a reader finds the old text or the new.
 *
 * @param {string} file
 * @param {string} text
 * @param {number} [mode]
 */
export function writeWhole(file, text, mode = 0o644) {
  const temporary = `${file}.new-${process.pid}`;
  writeNamed(temporary, text, { mode });
  chmodSync(temporary, mode);
  renameSync(temporary, file);
}

/**
 * Writes a file; of one that cannot be written nothing stays, and the error names it, as that of a full disk does not.
 *
 * @param {string} file
 * @param {string} text
 * @param {import('node:fs').WriteFileOptions} options
 */
export function writeNamed(file, text, options) {
  try {
    writeFileSync(file, text, options);
  } catch (error) {
    if (error.code !== 'EEXIST') rmSync(file, { force: true });
    error.path ??= file;
    throw error;
  }
}

/**
 * A text file's content, or null without one.
 *
 * @param {string} file
 */
export function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  }
}

/**
 * Every file below a directory, as sorted paths relative to it; none when it does not exist.
 *
 * @param {string} directory
 * @param {(relative: string) => boolean} [enter] which directories to look into
 */
export function filesBelow(directory, enter = () => true) {
  const found = [];
  const walk = (relative) => {
    let entries;
    try {
      entries = readdirSync(path.join(directory, relative), { withFileTypes: true });
    } catch (error) {
      if (error.code === 'ENOENT') return;
      throw error;
    }
    for (const entry of entries) {
      const inner = path.join(relative, entry.name);
      if (!entry.isDirectory()) found.push(inner);
      else if (enter(inner)) walk(inner);
    }
  };
  walk('');
  return found.sort();
}

/**
 * One digest over texts, each with its length, so that moving a byte from one to the next changes it.
 *
 * @param {(string | Buffer)[]} texts
 */
export function digest(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest('hex');
}
