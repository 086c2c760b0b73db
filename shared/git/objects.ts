import { GitFailed, GitOutputTooLarge } from './errors.js';
import type { Repository } from './pools.js';
import { defaultMaxBytes, runGitText, scanGit, type TakeOutput, runGit } from './run.js';
import { requireSha } from './object-ids.js';

export type ObjectType = 'commit' | 'tag' | 'tree' | 'blob';

export interface GitObject {
  sha: string;
  type: ObjectType;
  /** Bytes of all of it, whatever was read. */
  size: number;
  content: Buffer;
}

const header = /^([0-9a-f]{40}) (commit|tag|tree|blob) (\d+)$/;

/**
 * Reads objects in one process, in the order of `names` (ids, `<sha>^{tree}`, `<sha>:folder/`); null for a missing one.
 * At most `maxBytes` of each are read, all of it by default. Results are held in memory: more than 64 MiB in total
 * throw GitOutputTooLarge.
 */
export async function readObjects(
  repository: Repository,
  names: string[],
  maxBytes = Infinity,
): Promise<(GitObject | null)[]> {
  if (names.length === 0) return [];
  const objects: (GitObject | null)[] = [];
  const take = eachObject(maxBytes, (object) => {
    objects.push(object);
  });
  await scanGit(repository, ['cat-file', '--batch'], take, { input: lines(names) });
  if (objects.length !== names.length) throw new GitFailed('cat-file', 0, 'fewer answers than names');
  return objects;
}

const longestHeader = 64 * 1024;

/**
 * Parses the output of `cat-file --batch` as it arrives: a header line, followed by the number of bytes in that line
 * and a line end.
 */
function eachObject(maxBytes: number, take: (object: GitObject | null) => void): TakeOutput {
  let line = Buffer.alloc(0);
  let found: { sha: string; type: ObjectType; size: number } | undefined;
  let parts: Buffer[] = [];
  let missing = 0;
  let held = 0;
  const readLine = (chunk: Buffer): number => {
    const end = chunk.indexOf(10);
    line = Buffer.concat([line, chunk.subarray(0, end < 0 ? chunk.length : end)]);
    if (line.length > longestHeader) throw new GitFailed('cat-file', 0, 'a line without an end');
    if (end < 0) return chunk.length;
    const match = header.exec(line.toString('utf8'));
    line = Buffer.alloc(0);
    if (!match) take(null);
    else {
      found = { sha: match[1]!, type: match[2] as ObjectType, size: Number(match[3]) };
      missing = found.size + 1;
    }
    return end + 1;
  };
  const readContent = (object: NonNullable<typeof found>, chunk: Buffer): number => {
    const { size } = object;
    const passed = size + 1 - missing;
    const part = chunk.subarray(0, Math.min(missing, Math.max(0, Math.min(size, maxBytes) - passed)));
    if (part.length > 0) parts.push(part);
    held += part.length;
    if (held > defaultMaxBytes) throw new GitOutputTooLarge('cat-file', defaultMaxBytes);
    const read = Math.min(missing, chunk.length);
    missing -= read;
    if (missing > 0) return read;
    take({ ...object, content: Buffer.concat(parts) });
    parts = [];
    found = undefined;
    return read;
  };
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      const rest = chunk.subarray(at);
      at += found ? readContent(found, rest) : readLine(rest);
    }
  };
}

/** The commits that these names (ids, refs, expressions) lead to through tags, in their order; null where there is none. */
export async function peelToCommits(repository: Repository, names: string[]): Promise<(string | null)[]> {
  if (names.length === 0) return [];
  const input = lines(names.map((name) => `${name}^{commit}`));
  const text = await runGitText(repository, ['cat-file', '--batch-check'], { input });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => header.exec(line)?.[1] ?? null);
}

function lines(names: string[]): string {
  // A line break would request two objects and shift every result after it.
  if (names.some((name) => /[\n\0]/.test(name))) throw new GitFailed('cat-file', null, 'a name with a line break');
  return `${names.join('\n')}\n`;
}

/** Bytes of a blob by its full id; null where that is none. */
export async function blobSize(repository: Repository, id: string): Promise<number | null> {
  const args = ['cat-file', '--batch-check=%(objecttype) %(objectsize)'];
  const text = await runGitText(repository, args, { input: `${requireSha(id)}\n` });
  const [, size] = /^blob (\d+)$/m.exec(text) ?? [];
  return size === undefined ? null : Number(size);
}

/** The content of a blob by its full id. Throws GitOutputTooLarge for more than `maxBytes`. */
export async function readBlobById(repository: Repository, id: string, maxBytes: number): Promise<Buffer | null> {
  const size = await blobSize(repository, id);
  if (size === null) return null;
  if (size > maxBytes) throw new GitOutputTooLarge('cat-file', maxBytes);
  if (size === 0) return Buffer.alloc(0);
  return (await runGit(repository, ['cat-file', 'blob', id], { maxBytes })).stdout;
}
