import { GitOutputTooLarge } from './errors.js';
import { isValidFilePath } from './file-paths.js';
import type { Repository } from './pools.js';
import { onCommit, requireCommitId } from './revisions.js';
import { runGit, runGitText } from './run.js';
import { type SizedEntry, scanTree } from './trees.js';

export interface Blob {
  blob_id: string;
  /** Bytes of the whole file. */
  size: number;
  /** `100644`, `100755` executable, `120000` a symbolic link, whose target is the content. */
  mode: string;
  content: Buffer;
}

/** What becomes of the content of a file over the limit: its beginning is read, or none of it, or GitOutputTooLarge is thrown. */
type Longer = 'cut' | 'leave' | 'reject';

/**
 * One file, or null where the path is none. At most `maxBytes` of its content are read (0 reads none, and is one
 * process less); compare `size`. Throws RevisionNotFound.
 */
export async function readBlob(
  repository: Repository,
  revision: string,
  path: string,
  maxBytes: number,
  longer: Longer = 'cut',
): Promise<Blob | null> {
  const sha = await requireCommitId(repository, revision);
  const entry = isValidFilePath(path) ? await entryAt(repository, revision, sha, path) : undefined;
  if (entry?.type !== 'blob') return null;
  const blob = { blob_id: entry.id, size: entry.size, mode: entry.mode };
  if (entry.size > maxBytes && longer === 'reject') throw new GitOutputTooLarge('cat-file', maxBytes);
  const reads = entry.size <= maxBytes || longer === 'cut';
  if (!reads || maxBytes === 0 || entry.size === 0) return { ...blob, content: Buffer.alloc(0) };
  const { stdout } = await runGit(repository, ['cat-file', 'blob', entry.id], { maxBytes, cutOutput: true });
  return { ...blob, content: stdout };
}

async function entryAt(
  repository: Repository,
  revision: string,
  sha: string,
  path: string,
): Promise<SizedEntry | undefined> {
  const found: SizedEntry[] = [];
  await scanTree(repository, ['-l', sha, '--', path], { revision, sha }, ({ entry }) => {
    found.push(entry());
  });
  return found.find((candidate) => candidate.path === path);
}

/** The id of the last commit up to `revision` that changed a file or folder, or null. Throws RevisionNotFound. */
export async function lastCommitFor(repository: Repository, revision: string, path: string): Promise<string | null> {
  const sha = await requireCommitId(repository, revision);
  if (!isValidFilePath(path)) return null;
  const log = runGitText(repository, ['log', '-1', '--format=%H', sha, '--', path]);
  return (await onCommit(revision, log)).trim() || null;
}
