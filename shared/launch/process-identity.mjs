import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A process that can be told from a later one with the same pid.
 *
 * @typedef {{ pid: number, start: string }} Identity
 */

const unknownStart = 'unknown';
let bootId;

/**
 * The identity of a running process; null when there is none (a zombie counts as none).
 *
 * @param {number} pid
 * @returns {Identity | null}
 */
export function identify(pid) {
  if (!pidExists(pid)) return null;
  const start = process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid);
  return start === null ? null : { pid, start };
}

/**
 * Whether a pid is taken, be it by a zombie that nobody reaps.
 *
 * @param {number} pid
 */
export function pidExists(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives and belongs to someone else.
    return error.code === 'EPERM';
  }
}

/** The identity of this process. */
export function ownIdentity() {
  return identify(process.pid) ?? { pid: process.pid, start: unknownStart };
}

/**
 * Whether the very same process still runs.
 *
 * @param {Identity | null | undefined} identity
 */
export function isRunning(identity) {
  if (!identity) return false;
  const now = identify(identity.pid);
  if (!now) return false;
  return now.start === identity.start || now.start === unknownStart || identity.start === unknownStart;
}

/**
 * Sends a signal, unless the process is gone or its pid belongs to another one now.
 *
 * @param {Identity | null | undefined} identity
 * @param {NodeJS.Signals} signal
 */
export function signalProcess(identity, signal) {
  if (!isRunning(identity)) return false;
  try {
    process.kill(identity.pid, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Waits until none of the processes runs; false when some still do after the given milliseconds.
 *
 * @param {Identity[]} identities
 * @param {number} milliseconds
 */
export async function waitUntilGone(identities, milliseconds) {
  const end = Date.now() + milliseconds;
  while (identities.some(isRunning)) {
    if (Date.now() >= end) return false;
    await sleep(20);
  }
  return true;
}

/**
 * Asks processes to end, and kills those that still run after the grace (milliseconds).
 *
 * @param {Identity[]} identities
 * @param {number} grace
 */
export async function endProcesses(identities, grace) {
  for (const identity of identities) signalProcess(identity, 'SIGTERM');
  if (await waitUntilGone(identities, grace)) return;
  for (const identity of identities) signalProcess(identity, 'SIGKILL');
  await waitUntilGone(identities, 2000);
}

/**
 * Stops a PostgreSQL server: fast shutdown, after 20 s an immediate one, at last by force.
 *
 * @param {Identity | null | undefined} postmaster
 */
export async function stopPostmaster(postmaster) {
  for (const [signal, wait] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 2000],
  ]) {
    if (!signalProcess(postmaster, signal)) return;
    if (await waitUntilGone([postmaster], wait)) return;
  }
}

function startOnLinux(pid) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    // Mounted with hidepid, /proc shows only one's own processes.
    return pidExists(pid) ? unknownStart : null;
  }
  // The name in brackets may itself hold brackets and spaces; fields count from after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  // Start times count from boot, so after a reboot the same pid can have the same one.
  bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${bootId}/${fields[19]}`;
}

function startElsewhere(pid) {
  try {
    const args = ['-o', 'stat=,lstart=', '-p', String(pid)];
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'ignore'] };
    const line = execFileSync('ps', args, options).trim();
    return line === '' || line.startsWith('Z') ? null : line.replace(/^\S+\s+/, '');
  } catch {
    return null;
  }
}
