import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

import { ensureDirectory, readIfThere, writeWhole } from '#launch/files.mjs';
import { startGuardian } from '#launch/guard.mjs';
import { findPostmaster } from '#launch/postmaster.mjs';
import { startPostgres, stopPostgres } from '#launch/postgres.mjs';
import { placeForScratch, scratchParents } from '#launch/postgres-place.mjs';
import { isRunning, ownIdentity, stopPostmaster } from '#launch/process-identity.mjs';
import { projectNode } from '#launch/runtime.mjs';

const prefix = 'capstan-scratch-';

/**
 * Runs something with a PostgreSQL of its own, which is gone afterwards, also when this process is killed.
 *
 * @template T
 * @param {(home: string) => Record<string, string>} settings of the server, given the directory it lives in
 * @param {(scratch: { url: string, directory: string }) => Promise<T>} use `url` is that of the administrator, on the database
 *   `postgres`; `directory` is for other files that may go afterwards
 * @returns {Promise<T>}
 */
export async function withScratchPostgres(settings, use) {
  await sweep();
  const guardian = startGuardian(projectNode());
  const place = placeForScratch(`${prefix}${process.pid}-${Date.now().toString(36)}`);
  const { directory } = place;
  guardian.watch({ scratch: directory });
  writeWhole(path.join(directory, 'owner.json'), JSON.stringify(ownIdentity()));
  const privateDir = path.join(directory, 'private');
  ensureDirectory(privateDir, 0o700);
  let server;
  try {
    server = await startPostgres(place, { privateDir, settings: settings(place.home), sync: false });
    guardian.watch({ postmaster: server.postmaster });
    return await use({ url: server.url.replace(/\/[^/]*$/, '/postgres'), directory: privateDir });
  } finally {
    if (server) await stopPostgres(server);
    rmSync(directory, { recursive: true, force: true });
    guardian.release();
  }
}

/** Removes what a run left whose guardian was killed as well. */
async function sweep() {
  for (const directory of scratchParents().flatMap(leftovers)) {
    const owner = readIfThere(path.join(directory, 'owner.json'));
    if (owner === null || isRunning(JSON.parse(owner))) continue;
    await stopPostmaster(findPostmaster(path.join(directory, 'postgres', 'cluster')));
    rmSync(directory, { recursive: true, force: true });
  }
}

function leftovers(parent) {
  let names;
  try {
    names = readdirSync(parent);
  } catch {
    return [];
  }
  const own = names.filter((name) => name.startsWith(prefix)).map((name) => path.join(parent, name));
  // In a directory that all may write to, only what is ours can be trusted.
  return own.filter((directory) => statSync(directory, { throwIfNoEntry: false })?.uid === process.getuid?.());
}
