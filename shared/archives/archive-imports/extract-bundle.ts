import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { GitFailed, GitTimeout, TooManyRefs } from '../../git/index.js';
import type { IncomingEntry } from '../read/entries.js';

/** Writes an entry to a new file of a folder, which nobody else reads. @returns its path */
export async function extractEntry(entry: IncomingEntry, folder: string, name: string): Promise<string> {
  const target = path.join(folder, name);
  await rm(target, { force: true });
  const file = await open(target, 'wx', 0o600);
  try {
    for await (const piece of entry.contents()) await file.write(piece);
  } finally {
    await file.close();
  }
  return target;
}

/** What is wrong with a bundle, as words behind its name; null for a fault of ours. */
export function bundleProblem(error: unknown): string | null {
  if (error instanceof TooManyRefs) return `has more than ${error.most} branches and tags.`;
  if (error instanceof GitTimeout) return 'took too long.';
  if (!(error instanceof GitFailed)) return null;
  // A full disk and the like end git as well; those are worth another try.
  if (/No space left|Disk quota|unable to (create|write)/i.test(error.stderr)) return null;
  return 'is damaged, or holds what no repository may.';
}
