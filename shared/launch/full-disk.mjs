import { tmpdir } from 'node:os';
import path from 'node:path';

import { checkout, inCheckout } from './runtime.mjs';

const signs = /\b(ENOSPC|EDQUOT)\b|no space left on device|disk quota exceeded/i;

/**
 * The error of a program that ended badly; with the signs of a full disk in its output, one that {@link fullDiskProblem} knows.
 * @param {string} message @param {string} output @param {string} file what it wrote to
 */
export function failureOf(message, output, file) {
  const error = new Error(message);
  if (!signs.test(output)) return error;
  // npm names what it could not write: that may be its cache.
  const [, failedPath] = /^npm (?:error|ERR!) path (\/.+)$/m.exec(output) ?? [];
  return Object.assign(error, { code: 'ENOSPC', path: failedPath ?? file });
}

/**
 * What to do about an error that a full disk made, for a person, with the setting to change; null for any other error.
 * @param {unknown} error @param {string} dataDir absolute
 * @returns {string | null}
 */
export function fullDiskProblem(error, dataDir) {
  if (!(error instanceof Error)) return null;
  const { code = '', path: file, dest } = /** @type {NodeJS.ErrnoException & { dest?: string }} */ (error);
  if (!['ENOSPC', 'EDQUOT'].includes(code)) return fullDiskProblem(error.cause, dataDir);
  const full = file ?? dest;
  if (!full) return 'A disk is full: make room on it, or set DATA_DIR to a directory on another disk.';
  return `The disk that holds ${full} is full: make room on it${alternative(path.resolve(full), dataDir)}.`;
}

/** @param {string} file @param {string} dataDir */
function alternative(file, dataDir) {
  /** @param {string} directory */
  const isIn = (directory) => file === directory || file.startsWith(`${directory}/`);
  if (isIn(inCheckout('.data', 'lock')) || (isIn(checkout) && !isIn(dataDir)))
    return ', or move the checkout to another disk';
  if (isIn(dataDir)) return ', or set DATA_DIR to a directory on another disk';
  return isIn(tmpdir()) ? ', or set TMPDIR to a directory on another disk' : '';
}
