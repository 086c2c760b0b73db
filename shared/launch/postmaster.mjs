import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, realpathSync, writeSync } from 'node:fs';
import path from 'node:path';

import { readIfThere } from './files.mjs';
import { identify, pidExists } from './process-identity.mjs';

/**
 * The server that runs on a cluster right now; null when there is none. The pid file alone proves nothing: after a crash its pid may
 * belong to any program.
 *
 * @param {string} cluster
 */
export function findPostmaster(cluster) {
  const pid = Number(pidFileLines(cluster)[0]);
  const identity = identify(pid);
  return identity && servesCluster(pid, cluster) ? identity : null;
}

/**
 * The port that the server of a cluster listens on, as its pid file says.
 *
 * @param {string} cluster
 */
export function portOf(cluster) {
  return Number(pidFileLines(cluster)[3]);
}

/**
 * Lets a server start although the pid in a pid file left behind is taken, by another program or by a zombie. The file itself must stay: through
 * it the server finds out whether backends of its killed predecessor still use the shared memory.
 *
 * @param {string} cluster on which no server runs
 */
export function disownPidFile(cluster) {
  const [pid, ...rest] = pidFileLines(cluster);
  if (!pid || !pidExists(Number(pid))) return;
  // The pid of its parent is one that the server takes for stale.
  const file = openSync(pidFile(cluster), constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  writeSync(file, [process.pid, ...rest].join('\n'));
  closeSync(file);
}

function pidFile(cluster) {
  return path.join(cluster, 'postmaster.pid');
}

function pidFileLines(cluster) {
  return (readIfThere(pidFile(cluster)) ?? '').split('\n');
}

function servesCluster(pid, cluster) {
  const words = commandLine(pid);
  if (path.basename(words[0] ?? '') !== 'postgres') return false;
  const directory = words[words.indexOf('-D') + 1];
  return directory === cluster || directory === realpathSync(cluster);
}

function commandLine(pid) {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ');
  } catch {
    return [];
  }
}
