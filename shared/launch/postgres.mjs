import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { readIfThere, writeWhole } from './files.mjs';
import { failureOf } from './full-disk.mjs';
import { identify, isRunning, stopPostmaster } from './process-identity.mjs';
import { durable } from './postgres-settings.mjs';
import { disownPidFile, findPostmaster, portOf } from './postmaster.mjs';

/**
 * A running embedded PostgreSQL. `url` is for a client on this machine, with the password; `exited` resolves when the server ends.
 *
 * @typedef {import('./process-identity.mjs').Identity} Identity
 * @typedef {{ postmaster: Identity, port: number, url: string, exited: Promise<void> }} Server
 */

const superuser = 'capstan';
const database = 'capstan';
const attempts = 8;

/**
 * Starts the database of a place, made first if it is not there. An orphan of an earlier start is stopped. Only one process may do
 * this for one place at a time.
 *
 * @param {import('./postgres-place.mjs').Place} place
 * @param {{ privateDir: string, port?: number, settings?: Record<string, string>, sync?: boolean }} options `privateDir` keeps the
 *   password and what the server says while it starts, out of the server's own reach
 * @returns {Promise<Server>}
 */
export async function startPostgres(place, { privateDir, port, settings = durable(place.home), sync = true }) {
  const orphan = findPostmaster(place.cluster);
  if (orphan) await stopPostmaster(orphan);
  const password = await ensureCluster(place, path.join(privateDir, 'postgres-password'), sync);
  const logFile = logFileOf(privateDir);
  for (let attempt = 1; ; attempt += 1) {
    disownPidFile(place.cluster);
    const chosen = port ?? (await freePort());
    const server = await launch(place, chosen, settings, logFile);
    if (server) return { ...server, port: chosen, url: urlOf(password, chosen) };
    const reason = tail(logFile);
    // Both pass: a port taken in between, and backends of a killed server that have yet to notice.
    if (attempt === attempts || !/could not bind|still in use|could not create any TCP/.test(reason))
      throw failureOf(`PostgreSQL did not start:\n${reason}`, reason, place.cluster);
    await sleep(100 * attempt);
  }
}

const logFileOf = (privateDir) => path.join(privateDir, 'postgres-start.log');

/**
 * The end of what the server said since it was started.
 *
 * @param {string} privateDir as for {@link startPostgres}
 */
export function lastWords(privateDir) {
  return tail(logFileOf(privateDir));
}

/**
 * The URL of the server that runs on a cluster, for whoever may read its password; null when none is ready there.
 *
 * @param {string} cluster
 * @param {string} privateDir as for {@link startPostgres}
 */
export function runningUrl(cluster, privateDir) {
  const postmaster = findPostmaster(cluster);
  if (!postmaster || !isReady(cluster, postmaster.pid)) return null;
  const password = readIfThere(path.join(privateDir, 'postgres-password'));
  return password && urlOf(password, portOf(cluster));
}

function urlOf(password, port) {
  return `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

async function ensureCluster(place, passwordFile, sync) {
  const version = readIfThere(path.join(place.cluster, 'PG_VERSION'))?.trim();
  const major = place.version.split('.')[0];
  if (version && version !== major) {
    throw new Error(
      `The database in ${place.cluster} was made by PostgreSQL ${version}, and this is ${major}: dump it with ${version} and load it into a new DATA_DIR.`,
    );
  }
  let password = readIfThere(passwordFile);
  if (version && password) return password;
  password ??= randomBytes(24).toString('base64url');
  if (version) await runSingle(place, `ALTER ROLE ${superuser} PASSWORD '${password}'`);
  writeWhole(passwordFile, password, 0o600);
  if (!version) await createCluster(place, password, sync);
  return password;
}

/** Made beside its place and moved there when complete, so an interrupted start leaves nothing half made. */
async function createCluster(place, password, sync) {
  const partial = { ...place, cluster: `${place.cluster}.new` };
  const passwordFile = path.join(place.home, `password.new-${process.pid}`);
  rmSync(partial.cluster, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, password, { flag: 'wx', mode: 0o600 });
  if (place.user) chownSync(passwordFile, place.user.uid, place.user.gid);
  // The built-in C.UTF-8 sorts alike on every system and needs no locale installed.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = [`--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  try {
    await runBinary(place, 'initdb', [
      '-D',
      partial.cluster,
      ...access,
      ...locale,
      '--no-instructions',
      ...(sync ? [] : ['--no-sync']),
    ]);
    await runSingle(partial, `CREATE DATABASE ${database}`);
    renameSync(partial.cluster, place.cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** One statement on a cluster that no server runs on. */
async function runSingle(place, sql) {
  const said = await runBinary(place, 'postgres', ['--single', '-D', place.cluster, 'template1'], `${sql}\n`);
  // The single-user server ends well whatever its statements did.
  if (/\b(ERROR|FATAL|PANIC):/.test(said))
    throw failureOf('PostgreSQL could not prepare its database.', said, place.cluster);
}

function runBinary(place, name, args, input = '') {
  return new Promise((resolve, reject) => {
    const child = spawn(path.join(place.binaries, 'bin', name), args, {
      ...processOptions(place),
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(said) : reject(failureOf(`PostgreSQL's ${name} failed:\n${said}`, said, place.cluster)),
    );
    // It may end without reading; then its exit code tells more than a broken pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Resolves to null when the server ended instead of getting ready. */
async function launch(place, port, settings, logFile) {
  const all = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', ...settings };
  const args = ['-D', place.cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const log = openSync(logFile, 'w', 0o600);
  // Its own session: a Ctrl-C in the terminal must not reach it before those who use it.
  const child = spawn(path.join(place.binaries, 'bin', 'postgres'), args, {
    ...processOptions(place),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
  const postmaster = child.pid ? identify(child.pid) : null;
  let over = false;
  exited.then(
    () => (over = true),
    () => (over = true),
  );
  while (!over && postmaster) {
    if (isReady(place.cluster, postmaster.pid)) return { postmaster, exited };
    await sleep(5);
  }
  await exited;
  return null;
}

/** The last line of the pid file is the server's state; pg_ctl waits for the same. */
function isReady(cluster, pid) {
  const lines = (readIfThere(path.join(cluster, 'postmaster.pid')) ?? '').split('\n');
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

function processOptions({ user, home }) {
  // Nothing of our environment: it holds secrets, and PG* variables would change what the programs do.
  return { cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C' }, ...user };
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function tail(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-40).join('\n').trim() : '(it said nothing)';
}

/**
 * Stops a server and waits for it.
 *
 * @param {Server} server
 */
export async function stopPostgres(server) {
  if (isRunning(server.postmaster)) await stopPostmaster(server.postmaster);
  await server.exited;
}
