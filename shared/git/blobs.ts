import { GitOutputTooLarge } from './errors.js';
import type { Repository } from './lanes.js';
import { requireSha } from './object-ids.js';
import { runGit, runGitText } from './run.js';

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
