import { readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { attempt, ensureDirectory, isRoot, readIfThere, writeWhole } from '#launch/files.mjs';
import { startGuardian } from '#launch/guardian.mjs';
import { isRunning, ownIdentity, stopPostmaster } from '#launch/processes.mjs';
import { inCheckout, projectNode } from '#launch/runtime.mjs';
import { settingNames } from '#settings/misspelt-settings.mjs';

const prefix = 'capstan-scratch-';

/**
 * Runs a function with a separate PostgreSQL, which is removed afterwards, even if this process is killed. The launcher
 * must be compiled.
 *
 * @template T
 * @param {(home: string) => Record<string, string>} settings of the server, by its data directory
 * @param {(scratch: { url: string, directory: string }) => Promise<T>} use `url` belongs to the administrator, on the
 * database `postgres`; `directory` is for other temporary files
 * @returns {Promise<T>}
 */
export async function withScratchPostgres(settings, use) {
  const { OUTSIDE, findPostmaster, startPostgres, stopPostgres } = await loadLauncher();
  // Leftovers of a run whose guardian was killed as well.
  for (const directory of [tmpdir(), OUTSIDE].flatMap(leftovers)) {
    const owner = readIfThere(path.join(directory, 'owner.json'));
    if (owner === null || isRunning(JSON.parse(owner))) continue;
    await stopPostmaster(findPostmaster(path.join(directory, 'postgres', 'cluster')));
    rmSync(directory, { recursive: true, force: true });
  }
  const guardian = startGuardian(projectNode());
  const { directory, location } = await scratchLocation(`${prefix}${process.pid}-${Date.now().toString(36)}`);
  guardian.watch({ scratch: directory });
  writeWhole(path.join(directory, 'owner.json'), JSON.stringify(ownIdentity()));
  const privateDir = path.join(directory, 'private');
  ensureDirectory(privateDir, 0o700);
  let server;
  try {
    server = await startPostgres(location, { privateDir, settings: settings(location.home) });
    guardian.watch({ postmaster: server.postmaster });
    return await use({ url: server.url.replace(/\/[^/]*$/, '/postgres'), directory: privateDir });
  } finally {
    if (server) await stopPostgres(server);
    rmSync(directory, { recursive: true, force: true });
    guardian.release();
  }
}

/** Where a PostgreSQL that is thrown away runs, in a new directory. @param {string} name of the directory */
export async function scratchLocation(name) {
  const { canEnter, locationIn, NOBODY, OUTSIDE } = await loadLauncher();
  const user = isRoot() ? NOBODY : null;
  const directory = path.join(!user || canEnter(tmpdir(), user) ? tmpdir() : OUTSIDE, name);
  ensureDirectory(directory, user ? 0o711 : 0o700);
  return { directory, location: locationIn(path.join(directory, 'postgres'), user) };
}

/** The compiled parts of the launcher. */
export async function loadLauncher() {
  /** @type {typeof import('../../shared/launch/postgres-location.js')} */
  const location = await import(inCheckout('dist', 'shared', 'launch', 'postgres-location.js'));
  /** @type {typeof import('../../shared/launch/postgres.js')} */
  const postgres = await import(inCheckout('dist', 'shared', 'launch', 'postgres.js'));
  return { ...location, ...postgres };
}

/** @param {string} parent */
function leftovers(parent) {
  const names = attempt(() => readdirSync(parent), []);
  const own = names.filter((name) => name.startsWith(prefix)).map((name) => path.join(parent, name));
  // In a sandbox-writable directory, only files owned by this user can be trusted.
  return own.filter((directory) => statSync(directory, { throwIfNoEntry: false })?.uid === process.getuid?.());
}

/** Settings of a server whose data is expendable. @returns {Record<string, string>} */
export function throwaway() {
  return {
    max_connections: '200',
    // Hundreds of small databases come and go: dropping one looks through all buffers, and each connection maps them.
    shared_buffers: '64MB',
    jit: 'off',
    random_page_cost: '1.1',
    timezone: 'UTC',
    log_timezone: 'UTC',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    io_method: 'sync',
    autovacuum_naptime: '1h',
  };
}

/** The environment without the product's settings, for what runs on a PostgreSQL of its own. */
export function environmentWithoutSettings() {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !settingNames.includes(name) && !name.startsWith('OTEL_')));
}
