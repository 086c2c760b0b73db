import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const HOUR = 3_600_000;

/** Folders of the objects of a push until they are accepted: ours, and git's own. */
const QUARANTINE = /^(?:quarantine|tmp_objdir|incoming)-/;
/** Files of a pack, a multi-pack index or a commit graph before they get their final names. */
const UNFINISHED = /^(?:tmp_|\.tmp-)|\.lock$/;

/** Names in a folder; none if it no longer exists. */
const namesIn = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true }).catch(() => []);

/** When something was last written to, in milliseconds since 1970; of a folder also anything in it. */
async function lastWritten(path: string): Promise<number> {
  const own = await stat(path).catch(() => null);
  if (!own) return Infinity;
  if (!own.isDirectory()) return own.mtimeMs;
  let last = own.mtimeMs;
  for (const { name } of await namesIn(path)) last = Math.max(last, await lastWritten(join(path, name)));
  return last;
}

/**
 * Removes a file or folder if neither it nor anything in it was written to for an hour.
 * @returns whether it was removed
 */
export async function removeIfOld(path: string): Promise<boolean> {
  if (Date.now() - (await lastWritten(path)) < HOUR) return false;
  await rm(path, { recursive: true, force: true });
  return true;
}

/** Lock files of refs below a folder: an hour is longer than any process of git holds one. */
async function staleLocks(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await namesIn(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await staleLocks(path)));
    else if (entry.name.endsWith('.lock')) found.push(path);
  }
  return found;
}

/**
 * Removes what git processes and pushes that died left in a repository: objects in quarantine, packs that were never
 * finished, locks. What was written to within the last hour stays.
 * @returns how many files and folders were removed
 */
export async function sweepRepository(repository: string): Promise<number> {
  const objects = join(repository, 'objects');
  const packs = join(objects, 'pack');
  const info = join(objects, 'info');
  const filesMatching = async (folder: string, pattern: RegExp) =>
    (await namesIn(folder)).filter(({ name }) => pattern.test(name)).map(({ name }) => join(folder, name));
  const left = [
    ...(await filesMatching(objects, QUARANTINE)),
    ...(await filesMatching(packs, UNFINISHED)),
    ...(await filesMatching(info, UNFINISHED)),
    ...(await filesMatching(join(info, 'commit-graphs'), UNFINISHED)),
    ...(await filesMatching(repository, /\.lock$/)),
    ...(await staleLocks(join(repository, 'refs'))),
  ];
  let removed = 0;
  for (const path of left) if (await removeIfOld(path)) removed += 1;
  return removed;
}
