import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readIfThere, writeWhole } from '#launch/files.mjs';
import { failureOf } from '#launch/full-disk.mjs';
import { commandLineOf, identify, isRunning, pidExists, stopPostmaster } from '#launch/processes.mjs';
import type { Identity } from '#launch/processes.mjs';
import type { Location } from './postgres-location.js';

/** A running PostgreSQL. */
export interface Server {
  postmaster: Identity;
  port: number;
  /** For a client on this machine, with the password. */
  url: string;
  /** Resolves when the server ends. */
  exited: Promise<void>;
}

const SUPERUSER = 'capstan';
const DATABASE = 'capstan';
const ATTEMPTS = 8;

/** Settings of a server with durable data. It logs to one file for each day of the week. */
export const durable = (home: string): Record<string, string> => ({
  max_connections: '200',
  shared_buffers: '256MB',
  // Pays off for long analytical statements only, and costs short ones their latency.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  wal_compression: 'on',
  max_wal_size: '2GB',
  log_line_prefix: '%m [%p] ',
  logging_collector: 'on',
  log_directory: path.join(home, 'log'),
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_truncate_on_rotation: 'on',
});

/**
 * Starts the database at a location, and creates it first if it does not exist. An orphan of an earlier start is
 * stopped. Only one process may do this for one location at a time.
 * @param options.privateDir contains the password and the server's output during the start, inaccessible to the server
 * itself
 */
export async function startPostgres(
  location: Location,
  options: { privateDir: string; port?: number; settings?: Record<string, string> },
): Promise<Server> {
  const { privateDir, port, settings = durable(location.home) } = options;
  await stopPostmaster(findPostmaster(location.cluster));
  const password = await ensureCluster(location, path.join(privateDir, 'postgres-password'), settings.fsync !== 'off');
  const logFile = path.join(privateDir, 'postgres-start.log');
  for (let attempt = 1; ; attempt += 1) {
    disownPidFile(location.cluster);
    const chosen = port ?? (await freePort());
    const server = await launch(location, { ...settings, port: String(chosen) }, logFile);
    if (server) return { ...server, port: chosen, url: getUrl(password, chosen) };
    const reason = (readIfThere(logFile) || '(it said nothing)').split('\n').slice(-40).join('\n').trim();
    // Both are temporary: a port used by another process, and backends of a killed server that have not noticed yet.
    if (attempt === ATTEMPTS || !/could not bind|still in use|could not create any TCP/.test(reason))
      throw failureOf(`PostgreSQL did not start:\n${reason}`, reason, location.cluster);
    await sleep(100 * attempt);
  }
}

/** Stops a server and waits for it. */
export async function stopPostgres(server: Server): Promise<void> {
  if (isRunning(server.postmaster)) await stopPostmaster(server.postmaster);
  await server.exited;
}

/**
 * The URL of the server that runs on a cluster, for users who may read its password; null when none is ready there.
 * @param privateDir as for {@link startPostgres}
 */
export function runningUrl(cluster: string, privateDir: string): string | null {
  const postmaster = findPostmaster(cluster);
  const password = readIfThere(path.join(privateDir, 'postgres-password'));
  if (!postmaster || !password || !isReady(cluster, postmaster.pid)) return null;
  return getUrl(password, Number(pidFileLines(cluster)[3]));
}

const getUrl = (password: string, port: number) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${DATABASE}`;

async function ensureCluster(location: Location, passwordFile: string, sync: boolean): Promise<string> {
  const version = readIfThere(path.join(location.cluster, 'PG_VERSION'))?.trim();
  const [major] = location.version.split('.');
  if (version && version !== major)
    throw new Error(
      `The database in ${location.cluster} was made by PostgreSQL ${version}, and this is ${major}: dump it with ${version} and load it into a new DATA_DIR.`,
    );
  const stored = readIfThere(passwordFile);
  if (version && stored) return stored;
  const password = stored ?? randomBytes(24).toString('base64url');
  if (version) await runSingle(location, `ALTER ROLE ${SUPERUSER} PASSWORD '${password}'`);
  writeWhole(passwordFile, password, 0o600);
  if (!version) await createCluster(location, password, sync);
  return password;
}

/**
 * Created next to its final path and moved there when complete, so that an interrupted start leaves no partial cluster.
 */
async function createCluster(location: Location, password: string, sync: boolean): Promise<void> {
  const partial = { ...location, cluster: `${location.cluster}.new` };
  const passwordFile = path.join(location.home, `password.new-${process.pid}`);
  rmSync(partial.cluster, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, password, { flag: 'wx', mode: 0o600 });
  if (location.user) chownSync(passwordFile, location.user.uid, location.user.gid);
  // The built-in C.UTF-8 sorts the same on every system and needs no installed locale.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const more = ['--no-instructions', ...(sync ? [] : ['--no-sync'])];
  try {
    await runProgram(location, 'initdb', ['-D', partial.cluster, ...access, ...locale, ...more]);
    await runSingle(partial, `CREATE DATABASE ${DATABASE}`);
    renameSync(partial.cluster, location.cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Runs one statement on a cluster that no server runs on. */
async function runSingle(location: Location, sql: string): Promise<void> {
  const output = await runProgram(location, 'postgres', ['--single', '-D', location.cluster, 'template1'], `${sql}\n`);
  // The single-user server ends well whatever its statements did.
  if (/\b(ERROR|FATAL|PANIC):/.test(output))
    throw failureOf('PostgreSQL could not prepare its database.', output, location.cluster);
}

/** @returns what it wrote to standard error */
async function runProgram(location: Location, name: string, args: string[], input = ''): Promise<string> {
  const running = promisify(execFile)(path.join(location.binaries, 'bin', name), args, processOptions(location));
  // It may exit without reading; its exit code is then more useful than a broken pipe.
  running.child.stdin?.on('error', () => undefined).end(input);
  try {
    return (await running).stderr;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw failureOf(`PostgreSQL's ${name} failed:\n${stderr ?? message}`, stderr ?? message, location.cluster);
  }
}

/** Resolves to null when the server ended instead of getting ready. */
async function launch(location: Location, settings: Record<string, string>, logFile: string) {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const args = ['-D', location.cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const log = openSync(logFile, 'w', 0o600);
  // Its own session: a Ctrl-C in the terminal must not reach it before those who use it.
  const child = spawn(path.join(location.binaries, 'bin', 'postgres'), args, {
    ...processOptions(location),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let isOver = false;
  const exited = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  }).finally(() => (isOver = true));
  const postmaster = child.pid === undefined ? null : identify(child.pid);
  while (!isOver && postmaster) {
    if (isReady(location.cluster, postmaster.pid)) return { postmaster, exited };
    await sleep(5);
  }
  await exited;
  return null;
}

/**
 * Our environment is not passed on: it contains secrets, and PG* variables would change the behavior of the programs.
 */
const processOptions = ({ user, home }: Location) => ({
  cwd: home,
  env: { PATH: process.env.PATH, LC_ALL: 'C' },
  ...user,
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return port;
}

const getPidFile = (cluster: string) => path.join(cluster, 'postmaster.pid');
const pidFileLines = (cluster: string) => (readIfThere(getPidFile(cluster)) ?? '').split('\n');

/** The last line of the pid file is the server's state; pg_ctl waits for the same. */
function isReady(cluster: string, pid: number): boolean {
  const lines = pidFileLines(cluster);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/**
 * The server that currently runs on a cluster; null when there is none. The pid file alone proves nothing: after a
 * crash its pid may belong to any program.
 */
export function findPostmaster(cluster: string): Identity | null {
  const identity = identify(Number(pidFileLines(cluster)[0]));
  const [program = '', ...args] = identity ? commandLineOf(identity.pid) : [];
  const directory = args[args.indexOf('-D') + 1] ?? '';
  const isOurs = path.basename(program) === 'postgres' && [cluster, realpathSync(cluster)].includes(directory);
  return isOurs ? identity : null;
}

/**
 * Lets a server start although the pid in a leftover pid file is in use, by another program or by a zombie. The file
 * itself must stay: the server uses it to detect whether backends of its killed predecessor still use the shared
 * memory.
 * @param cluster on which no server runs
 */
function disownPidFile(cluster: string): void {
  const [pid, ...rest] = pidFileLines(cluster);
  if (!pid || !pidExists(Number(pid))) return;
  // The pid of its parent is one that the server takes for stale.
  const file = openSync(getPidFile(cluster), constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW);
  writeSync(file, [process.pid, ...rest].join('\n'));
  closeSync(file);
}
