import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { DiffRange } from './diffs.js';
import { slotFor, type Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { startGit } from './start.js';
import { GitStream } from './stream.js';

/** What keeps git from taking memory for what it compares, as with other diffs. */
const SETTINGS = { 'core.bigFileThreshold': '4m' };

/**
 * The diff between two commits or trees, both full ids, as printed by `git diff`. Resolves once its first bytes are
 * available, or the output is known to be empty. See {@link GitStream} for how it ends; destroy it if it is not read.
 */
export async function openDiff(repository: Repository, { from, to }: DiffRange): Promise<Readable> {
  const renames = ['--find-renames', '-l200'];
  const args = [
    'diff-tree',
    '-r',
    '-p',
    '--no-ext-diff',
    '--no-textconv',
    ...renames,
    requireSha(from),
    requireSha(to),
    '--',
  ];
  const slot = slotFor(repository, 'heavy');
  const release = await slot.pool.take(slot.owner, slot.signal);
  const child = await startGit(slot, args, { extras: { settings: SETTINGS } }).catch((error: unknown) => {
    release();
    throw error;
  });
  const started = once(child, 'spawn');
  const stream = new GitStream(slot, child, 'diff-tree', release);
  await Promise.all([started, once(stream, 'readable')]);
  return stream;
}
