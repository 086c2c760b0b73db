import { GitFailed, RevisionNotFound } from './errors.js';
import { isValidFilePath } from './file-paths.js';
import type { PoolName, Repository } from './pools.js';
import { cutText, eachRecord } from './output-records.js';
import { requireCommitId } from './revisions.js';
import { runGit, scanGit, type TakeOutput } from './run.js';

const entryTypes = ['tree', 'blob', 'commit'] as const;

/** `commit` is a submodule. */
type EntryType = (typeof entryTypes)[number];

export interface TreeEntry {
  id: string;
  name: string;
  type: EntryType;
  /** From the root of the repository. */
  path: string;
  /** Six octal digits: `100644`. */
  mode: string;
}

export interface SizedEntry extends TreeEntry {
  size: number;
}

/** A folder of a commit, the root by default; `recursive` includes everything below it, folders included. */
export interface TreeOptions {
  path?: string | undefined;
  recursive?: boolean | undefined;
}

/** Of a list of entries that is held as a whole: folders that lie deep within each other have long paths. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Of a path; longer ones are unrealistic, and are cut. */
const longestPath = 8 * 1024;
/** Mode, type, id and size precede the path. */
const longestEntry = longestPath + 100;

/** An entry as it comes by: most are only counted. */
interface Passing {
  type: EntryType;
  /** Below the folder that is listed. */
  path(): Buffer;
  entry(): SizedEntry;
}

/** Reads what `ls-tree -z` prints as it comes. */
function eachEntry(prefix: string, take: (passing: Passing) => boolean | void): TakeOutput {
  return eachRecord(0, longestEntry, (record) => {
    // `040000 tree <id>`, `160000 commit <id>`, anything else is a blob.
    const type = record[0] === 0x30 ? 'tree' : record[1] === 0x36 ? 'commit' : 'blob';
    const path = () => record.subarray(record.indexOf(0x09) + 1);
    return take({ type, path, entry: () => getEntry(record, type, prefix) });
  });
}

function getEntry(record: Buffer, type: EntryType, prefix: string): SizedEntry {
  const tab = record.indexOf(0x09);
  const [mode = '', , id = '', size = ''] = record.toString('latin1', 0, tab).split(/ +/);
  const path = prefix + cutText(record.subarray(tab + 1), longestPath);
  return { id, name: path.slice(path.lastIndexOf('/') + 1), type, path, mode, size: Number(size) || 0 };
}

interface TreeLocation {
  revision: string;
  sha: string;
  prefix?: string;
  pool?: PoolName;
}

/** `ls-tree -z` with these arguments. False where the commit exists and the path does not. Throws RevisionNotFound. */
export function scanTree(
  repository: Repository,
  args: string[],
  location: TreeLocation,
  take: (passing: Passing) => boolean | void,
): Promise<boolean> {
  return scanTreeOutput(repository, args, location, eachEntry(location.prefix ?? '', take));
}

/** The same, as it is printed. */
async function scanTreeOutput(
  repository: Repository,
  args: string[],
  { revision, sha, pool = 'short' }: TreeLocation,
  take: TakeOutput,
): Promise<boolean> {
  try {
    await scanGit(repository, ['ls-tree', '-z', ...args], take, { pool });
    return true;
  } catch (error) {
    if (!(error instanceof GitFailed) || !/Not a valid object name|not a tree object/.test(error.stderr)) throw error;
    const { exitCode } = await runGit(repository, ['cat-file', '-e', `${sha}^{commit}`], { exitCodes: [0, 1, 128] });
    if (exitCode !== 0) throw new RevisionNotFound(revision);
    return false;
  }
}

/** Where a folder is for ls-tree, and what its paths begin with; null for what can be none. */
async function locateFolder(repository: Repository, revision: string, folder: TreeOptions) {
  const sha = await requireCommitId(repository, revision);
  const path = (folder.path ?? '').replace(/\/+$/, '');
  if (path !== '' && !isValidFilePath(path)) return null;
  return { revision, sha, prefix: path === '' ? '' : `${path}/`, tree: `${sha}:${path}` };
}

/** A folder that was read as a whole; of a larger one only that it is. */
export interface WholeTree {
  entries: TreeEntry[];
  larger: boolean;
}

/**
 * A folder in git's order, if it has at most `atMost` entries. Only then are they parsed: those of a larger folder are
 * counted and dropped. Null if the path is not a folder. Throws RevisionNotFound.
 */
export async function readTree(
  repository: Repository,
  revision: string,
  atMost: number,
  folder: TreeOptions = {},
): Promise<WholeTree | null> {
  const location = await locateFolder(repository, revision, folder);
  if (location === null) return null;
  const pieces: Buffer[] = [];
  let [count, bytes] = [0, 0];
  const args = [...(folder.recursive ? ['-r', '-t'] : []), location.tree];
  const found = await scanTreeOutput(repository, args, location, (piece) => {
    pieces.push(piece);
    bytes += piece.length;
    for (let at = piece.indexOf(0); at >= 0; at = piece.indexOf(0, at + 1)) count += 1;
    return count > atMost || bytes > MOST_BYTES;
  });
  if (!found) return null;
  if (count > atMost || bytes > MOST_BYTES) return { entries: [], larger: true };
  const entries: TreeEntry[] = [];
  const take = eachEntry(location.prefix, ({ entry }) => void entries.push(withoutSize(entry())));
  for (const piece of pieces) take(piece);
  return { entries, larger: false };
}

function withoutSize({ size: _, ...entry }: SizedEntry): TreeEntry {
  return entry;
}

/** Where a part of a folder begins: behind so many entries, or behind this one. */
export type TreeStart = number | Pick<TreeEntry, 'type' | 'path'>;

/**
 * A part of a folder that is too large to be read as a whole: folders come first, then files, then submodules, each in
 * git's order. Nothing but the part is held. Null where there is no entry to begin behind. Throws RevisionNotFound.
 */
export async function readTreePart(
  repository: Repository,
  revision: string,
  folder: TreeOptions,
  start: TreeStart,
  limit: number,
): Promise<TreeEntry[] | null> {
  const location = await locateFolder(repository, revision, folder);
  if (location === null) return null;
  const part: TreeEntry[] = [];
  let toSkip = typeof start === 'number' ? start : 0;
  let behind = typeof start === 'number' ? null : Buffer.from(start.path.slice(location.prefix.length));
  const first = typeof start === 'number' ? 0 : entryTypes.indexOf(start.type);
  for (const type of entryTypes.slice(first)) {
    const depth = folder.recursive ? ['-r'] : [];
    const args = [...depth, ...(type === 'tree' ? ['-d'] : []), location.tree];
    await scanTree(repository, args, { ...location, pool: 'long' }, (passing) => {
      if (passing.type !== type) return false;
      if (behind !== null) {
        if (behind.equals(passing.path())) behind = null;
        return false;
      }
      if (toSkip > 0) {
        toSkip -= 1;
        return false;
      }
      return part.push(withoutSize(passing.entry())) >= limit;
    });
    if (behind !== null) return null;
    if (part.length >= limit) break;
  }
  return part;
}
