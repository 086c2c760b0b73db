import { Readable } from 'node:stream';
import { GitFailed, GitTimeout, RevisionNotFound } from './errors.js';
import { isValidFilePath } from './file-paths.js';
import { requireSha } from './object-ids.js';
import { onCommit, requireCommit } from './revisions.js';
import { exitError, runGit, runGitText, startError, startGit, stopGit } from './run.js';

export interface TreeEntry {
  id: string;
  name: string;
  /** `commit` is a submodule. */
  type: 'tree' | 'blob' | 'commit';
  /** From the root of the repository. */
  path: string;
  /** Six octal digits: `100644`. */
  mode: string;
}

interface SizedEntry extends TreeEntry {
  size: number;
}

/**
 * The entries of a folder (the root unless told) in git's order, `recursive` with everything below, folders included.
 * Null where the path is no folder. Throws RevisionNotFound.
 */
export async function readTree(
  repository: string,
  revision: string,
  options: { path?: string | undefined; recursive?: boolean | undefined } = {},
): Promise<TreeEntry[] | null> {
  const sha = await requireCommit(repository, revision);
  const folder = (options.path ?? '').replace(/\/+$/, '');
  if (folder !== '' && !isValidFilePath(folder)) return null;
  const args = ['ls-tree', '-z', ...(options.recursive ? ['-r', '-t'] : []), `${sha}:${folder}`];
  const output = await treeOutput(repository, args, revision, sha);
  return output === null ? null : parseEntries(output, folder === '' ? '' : `${folder}/`);
}

/** Null where the commit exists and the path does not. */
async function treeOutput(repository: string, args: string[], revision: string, sha: string): Promise<string | null> {
  try {
    return await runGitText(repository, args);
  } catch (error) {
    if (!(error instanceof GitFailed) || !/Not a valid object name|not a tree object/.test(error.stderr)) throw error;
    const { exitCode } = await runGit(repository, ['cat-file', '-e', `${sha}^{commit}`], { exitCodes: [0, 1, 128] });
    if (exitCode !== 0) throw new RevisionNotFound(revision);
    return null;
  }
}

function parseEntries(output: string, prefix: string): SizedEntry[] {
  const entries: SizedEntry[] = [];
  for (const line of output.split('\0')) {
    const [, mode, type, id, size, path] = /^(\d{6}) (\w+) ([0-9a-f]{40})(?: +(\d+|-))?\t([^]*)$/.exec(line) ?? [];
    if (path === undefined) continue;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const common = { id: id!, name, type: type as TreeEntry['type'], path: prefix + path, mode: mode! };
    entries.push({ ...common, size: Number(size ?? 0) || 0 });
  }
  return entries;
}

export interface Blob {
  blob_id: string;
  /** Bytes of the whole file. */
  size: number;
  /** `100644`, `100755` executable, `120000` a symbolic link, whose content is its target. */
  mode: string;
  content: Buffer;
}

/**
 * One file, or null where the path is none. At most `maxBytes` of its content are read (0 reads none, and is one
 * process less); compare `size`. Without it, a file over 64 MiB throws GitOutputTooLarge. Throws RevisionNotFound.
 */
export async function readBlob(
  repository: string,
  revision: string,
  path: string,
  maxBytes?: number,
): Promise<Blob | null> {
  const sha = await requireCommit(repository, revision);
  if (!isValidFilePath(path)) return null;
  const output = await treeOutput(repository, ['ls-tree', '-z', '-l', sha, '--', path], revision, sha);
  const entry = parseEntries(output ?? '', '').find((candidate) => candidate.path === path);
  if (entry?.type !== 'blob') return null;
  const blob = { blob_id: entry.id, size: entry.size, mode: entry.mode };
  if (maxBytes === 0 || entry.size === 0) return { ...blob, content: Buffer.alloc(0) };
  const limit = maxBytes === undefined ? {} : { maxBytes, cutOutput: true };
  const { stdout } = await runGit(repository, ['cat-file', 'blob', entry.id], limit);
  return { ...blob, content: stdout };
}

/** The id of the last commit up to `revision` that changed a file or folder, or null. Throws RevisionNotFound. */
export async function lastCommitFor(repository: string, revision: string, path: string): Promise<string | null> {
  const sha = await requireCommit(repository, revision);
  if (!isValidFilePath(path)) return null;
  const log = runGitText(repository, ['log', '-1', '--format=%H', sha, '--', path]);
  return (await onCommit(revision, log)).trim() || null;
}

/**
 * The content of a blob (by its id) as a stream, for files of any size; git starts with the first read. A missing blob,
 * a failure and taking longer than `timeoutMs` (10 minutes unless told) are errors of the stream, never a short
 * content that looks whole. Destroying it stops git.
 */
export function blobStream(repository: string, blobId: string, { timeoutMs = 600_000 } = {}): Readable {
  return Readable.from(blobChunks(repository, requireSha(blobId), timeoutMs), { objectMode: false });
}

async function* blobChunks(repository: string, blobId: string, timeoutMs: number): AsyncGenerator<Buffer> {
  const child = startGit(repository, ['cat-file', 'blob', blobId]);
  const ended = new Promise<number | null | Error>((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  });
  let stderr = '';
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stopGit(child);
  }, timeoutMs);
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < 4096) stderr += chunk.toString('utf8');
  });
  try {
    yield* child.stdout;
    const result = await ended;
    if (late) throw new GitTimeout('cat-file', timeoutMs);
    if (result instanceof Error) throw startError(result);
    if (result !== 0) throw exitError(repository, 'cat-file', result, stderr);
  } finally {
    clearTimeout(timer);
    stopGit(child);
  }
}
