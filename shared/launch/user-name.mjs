import { execFileSync } from 'node:child_process';

/**
 * A user as people know them: the name where the system has one, else the number.
 *
 * @param {number} uid
 */
export function userName(uid) {
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 2000 };
    return `user ${execFileSync('id', ['-nu', String(uid)], options).trim()}`;
  } catch {
    return `uid ${uid}`;
  }
}
