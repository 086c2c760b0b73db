import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const isRoot = () => process.getuid?.() === 0;

/** The code of an error of the system, such as ENOENT; undefined for any other. @param {unknown} error */
export const codeOf = (error) => /** @type {NodeJS.ErrnoException | undefined} */ (error)?.code;

/**
 * For work whose failure is harmless: the result of a function, or another value if it throws.
 * @template T, F @param {() => T} work @param {F} otherwise
 */
export function attempt(work, otherwise) {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

/** Makes a directory with just this mode (whatever the umask), where there is none. @param {string} directory @param {number} mode */
export function ensureDirectory(directory, mode) {
  const parent = path.dirname(directory);
  if (parent !== directory) mkdirSync(parent, { recursive: true });
  try {
    mkdirSync(directory);
    chmodSync(directory, mode);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes DATA_DIR or a directory like it: private, but as root passable, as PostgreSQL and the service then run as other users inside
 * it. What lies in it carries its own mode.
 * @param {string} directory
 */
export const ensureDataDirectory = (directory) => ensureDirectory(directory, isRoot() ? 0o711 : 0o700);

/** Takes from a file the permissions beyond these, where there are any and it is ours to do. @param {string} file @param {number} mode */
export function tighten(file, mode) {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found && found.mode & 0o777 & ~mode && (isRoot() || found.uid === process.getuid?.()))
    chmodSync(file, found.mode & (mode | 0o7000));
}

/**
 * Writes a file atomically, with exactly this mode (regardless of the umask): a reader sees the old text or the new. A
 * failed write leaves no file, and its error contains the file name, unlike that of a full disk.
 * @param {string} file @param {string} text
 */
export function writeWhole(file, text, mode = 0o644) {
  const temporary = `${file}.new-${process.pid}`;
  try {
    writeFileSync(temporary, text, { mode });
    chmodSync(temporary, mode);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw Object.assign(/** @type {Error} */ (error), { path: temporary });
  }
}

/** A text file's content, or null without one. @param {string} file */
export function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return null;
    throw error;
  }
}

/** Every file below a directory but for packages, as sorted paths relative to it; none when it does not exist. @param {string} directory */
export function filesBelow(directory) {
  /** @type {string[]} */
  const found = [];
  /** @param {string} below */
  const walk = (below) => {
    for (const entry of readdirSync(path.join(directory, below), { withFileTypes: true })) {
      const inner = below + entry.name;
      if (entry.name === 'node_modules') continue;
      if (entry.isDirectory()) walk(`${inner}/`);
      else found.push(inner);
    }
  };
  if (statSync(directory, { throwIfNoEntry: false })) walk('');
  return found.sort();
}

/** One digest over texts, each with its length, so that moving a byte from one to the next changes it. @param {(string | Buffer)[]} texts */
export function digest(texts) {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:`).update(text);
  return hash.digest('hex');
}
