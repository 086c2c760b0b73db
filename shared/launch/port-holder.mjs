import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

import { readIfThere } from './files.mjs';
import { userName } from './user-name.mjs';

const listening = '0A';

/**
 * Who listens on a port of this machine, for a sentence, as far as Linux tells; null where it tells nothing. Of another user's
 * process only the user can be seen, unless we are root.
 *
 * @param {number} port
 */
export function describePortHolder(port) {
  const [socket] = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listenersIn(table, port));
  if (!socket) return null;
  const pid = processWith(socket.inode);
  const parts = pid === null ? [] : [nameOf(pid), `pid ${pid}`];
  const since = pid === null ? null : startOf(pid);
  return [...parts, userName(socket.uid), ...(since ? [`since ${since}`] : [])].filter(Boolean).join(', ');
}

function listenersIn(table, port) {
  const lines = (readIfThere(table) ?? '').split('\n').slice(1);
  const rows = lines.map((line) => line.trim().split(/\s+/)).filter((row) => row.length > 9);
  return rows
    .filter(([, local, , state]) => state === listening && Number.parseInt(local.split(':')[1], 16) === port)
    .map((row) => ({ uid: Number(row[7]), inode: row[9] }));
}

function processWith(inode) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return Number(pids.find((pid) => opened(pid).includes(`socket:[${inode}]`))) || null;
}

function opened(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((descriptor) => linkOf(`/proc/${pid}/fd/${descriptor}`));
  } catch {
    return [];
  }
}

function linkOf(file) {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}

function nameOf(pid) {
  return readIfThere(`/proc/${pid}/comm`)?.trim();
}

/** Its start counts from boot, in hundredths of a second. */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))[1]);
    return new Date((boot + Math.floor(ticks / 100)) * 1000).toISOString();
  } catch {
    return null;
  }
}
