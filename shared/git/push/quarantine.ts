import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenRepository } from '../pools.js';
import { syncFolder } from '../sync-folder.js';

/** The prefix of the folders of quarantined objects, in a repository's folder of objects. */
export const QUARANTINE_PREFIX = 'quarantine-';

/** A repository with quarantined objects in addition to its own; refs are those of the repository. */
export type QuarantinedRepository = OpenRepository & { quarantine: string };

/** Makes a folder where objects wait until it is known whether they may come in. */
export async function openQuarantine(repository: OpenRepository): Promise<QuarantinedRepository> {
  const quarantine = join(repository.path, 'objects', `${QUARANTINE_PREFIX}${randomBytes(8).toString('hex')}`);
  await mkdir(quarantine);
  return { ...repository, quarantine };
}

/** The environment in which git reads and writes there. */
export function quarantineVariables(path: string, quarantine: string): Record<string, string> {
  // Quoted: the value is a list, and a path may have its separator.
  return { GIT_OBJECT_DIRECTORY: quarantine, GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(path, 'objects')) };
}

/** Discards the quarantined objects; accepted objects stay. */
export async function closeQuarantine({ quarantine }: QuarantinedRepository): Promise<void> {
  await rm(quarantine, { recursive: true, force: true });
}

/** git sees a pack by its index, so that comes last. */
const order = (one: string, other: string) => Number(one.endsWith('.idx')) - Number(other.endsWith('.idx'));

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** How often housekeeping may be the quicker one. */
const MOST_TRIES = 10;

/** Moves a file into a folder, which housekeeping removes whenever it finds it empty. */
async function moveFile(file: string, from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await mkdir(to, { recursive: true });
    try {
      // A file of the same name holds the same objects, and replacing it changes nothing.
      return await rename(join(from, file), join(to, file));
    } catch (error) {
      if (!isMissing(error) || tries === MOST_TRIES) throw error;
    }
  }
}

async function moveFolder(from: string, to: string): Promise<void> {
  for (const file of (await readdir(from)).sort(order)) await moveFile(file, from, to);
  try {
    await syncFolder(to);
  } catch (error) {
    // Housekeeping found all of them in a pack, and removed what was left.
    if (!isMissing(error)) throw error;
  }
  await rmdir(from);
}

/** Makes what waits the repository's own. */
export async function takeOver({ path, quarantine }: QuarantinedRepository): Promise<void> {
  const folders = (await readdir(quarantine)).filter((name) => name === 'pack' || /^[0-9a-f]{2}$/.test(name));
  const objects = join(path, 'objects');
  for (const folder of folders) await moveFolder(join(quarantine, folder), join(objects, folder));
}
