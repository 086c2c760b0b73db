import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { identifyDirectory, isCopyOf } from './directory-identity.mjs';
import { ensureDirectory, readIfThere, writeWhole } from './files.mjs';
import { lockDirectory } from './lock-directory.mjs';
import { isRunning, ownIdentity } from './process-identity.mjs';

const directory = () => path.join(lockDirectory(), 'running');

/**
 * Notes in the checkout that this process runs a service from it, as long as it lives.
 *
 * @returns {() => void} takes the note back
 */
export function noteService() {
  ensureDirectory(lockDirectory(), 0o700);
  ensureDirectory(directory(), 0o700);
  // Those of killed services stay until then.
  for (const file of notes()) if (!isRunning(identityIn(file))) rmSync(file, { force: true });
  const file = path.join(directory(), `${process.pid}.json`);
  writeWhole(file, JSON.stringify({ ...ownIdentity(), directory: identifyDirectory(directory()) }), 0o600);
  return () => rmSync(file, { force: true });
}

/** The pids of the other processes that run a service from this checkout. */
export function runningServices() {
  const identities = notes().map(identityIn).filter(isRunning);
  return identities.map(({ pid }) => pid).filter((pid) => pid !== process.pid);
}

function notes() {
  try {
    return readdirSync(directory())
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name) => path.join(directory(), name));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function identityIn(file) {
  try {
    const note = JSON.parse(readIfThere(file) ?? 'null');
    // Those of a checkout that this one was copied from are about services that run there.
    return isCopyOf(note?.directory, directory()) ? null : note;
  } catch {
    return null;
  }
}
