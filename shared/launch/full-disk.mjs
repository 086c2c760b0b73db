import { tmpdir } from 'node:os';
import path from 'node:path';

import { checkout } from './paths.mjs';

const codes = ['ENOSPC', 'EDQUOT'];
const words = /\b(ENOSPC|EDQUOT)\b|no space left on device|disk quota exceeded/i;

/**
 * The error of a program that ended badly; with the words of a full disk in what it said, one that {@link fullDiskProblem} knows.
 *
 * @param {string} message
 * @param {string} said
 * @param {string} place what it wrote to
 */
export function failureOf(message, said, place) {
  const error = new Error(message);
  if (!words.test(said)) return error;
  // npm names what it could not write: that may be its cache.
  const [, named] = /^npm (?:error|ERR!) path (\/.+)$/m.exec(said) ?? [];
  return Object.assign(error, { code: 'ENOSPC', path: named ?? place });
}

/**
 * What to do about an error that a full disk made, in words with the setting to change; null for any other error.
 *
 * @param {unknown} error
 * @param {string} dataDir absolute
 */
export function fullDiskProblem(error, dataDir) {
  for (let at = error; at; at = at.cause) {
    if (!codes.includes(at.code)) continue;
    const place = at.path ?? at.dest;
    if (!place) return 'A disk is full: make room on it, or set DATA_DIR to a directory on another disk.';
    return `The disk that holds ${place} is full: make room on it${otherwise(path.resolve(place), dataDir)}.`;
  }
  return null;
}

function otherwise(place, dataDir) {
  const within = (directory) => place === directory || place.startsWith(`${directory}/`);
  if (within(path.join(checkout, '.data', 'lock')) || (within(checkout) && !within(dataDir)))
    return ', or move the checkout to another disk';
  if (within(dataDir)) return ', or set DATA_DIR to a directory on another disk';
  return within(tmpdir()) ? ', or set TMPDIR to a directory on another disk' : '';
}
