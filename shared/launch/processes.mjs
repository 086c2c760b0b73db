import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { attempt, codeOf } from './files.mjs';

/** @typedef {{ pid: number, start: string }} Identity a process, distinguishable from a later one with the same pid */

const unknownStart = 'unknown';
const isLinux = process.platform === 'linux';
/** @type {string | undefined} */
let bootId;

/** The identity of a running process; null when there is none (a zombie counts as none). @param {number} pid */
export function identify(pid) {
  if (!pidExists(pid)) return null;
  const start = isLinux ? startOnLinux(pid) : startElsewhere(pid);
  return start === null ? null : { pid, start };
}

/** Whether a pid is in use, even by a zombie that is never reaped. @param {number} pid */
export function pidExists(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is running and belongs to another user.
    return codeOf(error) === 'EPERM';
  }
}

/** The identity of this process. @returns {Identity} */
export const ownIdentity = () => identify(process.pid) ?? { pid: process.pid, start: unknownStart };

/** Whether the very same process still runs. @param {Identity | null | undefined} identity */
export function isRunning(identity) {
  if (!identity) return false;
  const now = identify(identity.pid);
  return now !== null && (now.start === identity.start || [now.start, identity.start].includes(unknownStart));
}

/**
 * Sends a signal, unless the process has exited or its pid now belongs to another one.
 * @param {Identity | null} identity @param {string} signal
 */
export function signalProcess(identity, signal) {
  return identity !== null && isRunning(identity) && attempt(() => process.kill(identity.pid, signal), false);
}

/**
 * Waits until all processes have exited; false after the timeout.
 * @param {(Identity | null)[]} identities @param {number} milliseconds
 */
async function areGone(identities, milliseconds) {
  for (const end = Date.now() + milliseconds; identities.some(isRunning); await sleep(20))
    if (Date.now() >= end) return false;
  return true;
}

/**
 * Asks processes to exit, and kills those still running after the grace period (milliseconds).
 * @param {Identity[]} identities @param {number} grace
 */
export async function endProcesses(identities, grace) {
  for (const identity of identities) signalProcess(identity, 'SIGTERM');
  if (await areGone(identities, grace)) return;
  for (const identity of identities) signalProcess(identity, 'SIGKILL');
  await areGone(identities, 2000);
}

/** Stops a PostgreSQL server: a fast shutdown, after a while an immediate one, at last by force. @param {Identity | null} postmaster */
export async function stopPostmaster(postmaster) {
  for (const [signal, milliseconds] of Object.entries({ SIGINT: 20_000, SIGQUIT: 5000, SIGKILL: 2000 }))
    if (!signalProcess(postmaster, signal) || (await areGone([postmaster], milliseconds))) return;
}

/** The fields of /proc/PID/stat after the name, which may itself hold brackets and spaces. @param {number} pid */
export function statFields(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** @param {number} pid */
function startOnLinux(pid) {
  const fields = attempt(() => statFields(pid), null);
  // Mounted with hidepid, /proc shows only one's own processes.
  if (fields === null) return pidExists(pid) ? unknownStart : null;
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  // Start times count from boot, so after a reboot the same pid can have the same one.
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${bootId}/${fields[19]}`;
}

/** @param {number} pid */
function startElsewhere(pid) {
  const line = getOutput('ps', '-o', 'stat=,lstart=', '-p', String(pid));
  return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '');
}

/** The arguments of a process's command line; empty when it cannot be read. @param {number} pid */
export function commandLineOf(pid) {
  if (isLinux) return attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '').split('\0');
  return getOutput('ps', '-o', 'command=', '-p', String(pid)).split(' ');
}

/** A user as people know them: the name where the system has one, else the number. @param {number} uid */
export function describeUser(uid) {
  const name = getOutput('id', '-nu', String(uid));
  return name ? `user ${name}` : `uid ${uid}`;
}

/** @param {string} command @param {...string} args */
function getOutput(command, ...args) {
  const env = { ...process.env, LC_ALL: 'C' };
  const { stdout } = spawnSync(command, args, { encoding: 'utf8', env, timeout: 2000 });
  return (stdout ?? '').trim();
}
