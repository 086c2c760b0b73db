import { lstat, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { RefConflict } from './errors.js';
import { syncFolder } from './sync-folder.js';

/** A ref to make. */
export interface PackedRef {
  /** Full name. */
  name: string;
  sha: string;
  /** The object that an annotated tag points to; otherwise the same as `sha`. */
  peeled: string;
}

/** The header that git has written since 1.7; a file with a different header is left to git. */
const HEADER = '# pack-refs with: peeled fully-peeled sorted ';
/** A larger one is left to git. */
const MOST_BYTES = 32 * 1024 * 1024;
/** How long another one that writes the file is waited for. */
const LOCK_MS = 5000;
const LOCK_AGAIN_MS = 25;

const getCode = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Takes git's own lock of the file. @throws RefConflict where others hold it */
async function lock(file: string) {
  for (const until = performance.now() + LOCK_MS; ; await setTimeout(LOCK_AGAIN_MS)) {
    try {
      return await open(file, 'wx');
    } catch (error) {
      if (getCode(error) !== 'EEXIST') throw error;
      if (performance.now() > until) throw new RefConflict('', 'locked', 'packed-refs is locked');
    }
  }
}

/** The lines of each packed ref by its name; null for a file that only git can take. */
async function readPacked(file: string): Promise<Map<string, string> | null> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MOST_BYTES) return null;
  const packed = new Map<string, string>();
  if (size === 0) return packed;
  const [header, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\n');
  if (header !== HEADER) return null;
  let name = '';
  for (const line of lines) {
    if (line.startsWith('^')) packed.set(name, `${packed.get(name)}${line}\n`);
    else {
      name = line.slice(41);
      packed.set(name, `${line}\n`);
    }
  }
  return packed;
}

/** The folders that a name lies in, below `refs/heads`: none of them may be a ref. */
function getFolders(name: string): string[] {
  const parts = name.split('/');
  return parts.slice(3).map((_, index) => parts.slice(0, index + 3).join('/'));
}

/**
 * Checks for conflicting refs: of the same name, or `a` next to `a/b`.
 * @returns whether git has to decide, because a folder with the name of a new ref exists
 * @throws RefConflict
 */
async function findObstacles(repository: string, packed: ReadonlyMap<string, string>, refs: readonly PackedRef[]) {
  const folders = new Set(refs.flatMap(({ name }) => getFolders(name)));
  const used = new Set([...packed.keys()].flatMap(getFolders));
  let unclear = false;
  for (const { name } of refs) {
    if (packed.has(name)) throw new RefConflict(name, 'exists', 'it is packed');
    if (used.has(name) || folders.has(name)) throw new RefConflict(name, 'name_conflict', 'others lie below it');
    const above = getFolders(name).find((folder) => packed.has(folder));
    if (above !== undefined) throw new RefConflict(name, 'name_conflict', `it lies below ${above}`);
    const found = await lstat(join(repository, name)).catch((error: unknown) => {
      if (getCode(error) === 'ENOTDIR') throw new RefConflict(name, 'name_conflict', 'it lies below another one');
      return null;
    });
    if (found?.isDirectory()) unclear = true;
    else if (found) throw new RefConflict(name, 'exists', 'it is there');
  }
  return unclear;
}

/**
 * Creates many refs at once with one file that is written completely: all of them, or none. git creates a file for
 * each, and waits for the disk each time. The existence of the objects is not checked.
 * @returns false, with nothing done, if git has to do it
 * @throws RefConflict
 */
export async function createPackedRefs(repository: string, refs: readonly PackedRef[]): Promise<boolean> {
  const file = join(repository, 'packed-refs');
  const draft = `${file}.lock`;
  const handle = await lock(draft);
  let held = true;
  try {
    const packed = await readPacked(file);
    if (!packed || (await findObstacles(repository, packed, refs))) return false;
    for (const { name, sha, peeled } of refs)
      packed.set(name, `${sha} ${name}\n${peeled === sha ? '' : `^${peeled}\n`}`);
    const inOrder = [...packed.keys()].map((name) => [Buffer.from(name), packed.get(name)!] as const);
    inOrder.sort(([one], [other]) => Buffer.compare(one, other));
    await handle.writeFile(`${HEADER}\n${inOrder.map(([, lines]) => lines).join('')}`);
    await handle.sync();
    await rename(draft, file);
    held = false;
    await syncFolder(repository);
    return true;
  } finally {
    await handle.close();
    // After the rename, a file of this name belongs to another process.
    if (held) await rm(draft, { force: true });
  }
}
