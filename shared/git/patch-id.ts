import { GitOutputTooLarge, GitTimeout, GitTooCostly } from './errors.js';
import type { DiffRange } from './diffs.js';
import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { onCommit } from './revisions.js';
import { runGit, runGitText } from './run.js';

/** A longer diff gets no id: reading it would take too long. */
const MAX_DIFF_BYTES = 4 * 1024 * 1024;

/**
 * The id of what changes from one commit or tree to another, both full ids: the same for the same changes, wherever they
 * are made. Null where nothing changes, and for diffs that are too large.
 * @throws RevisionNotFound
 */
export async function patchId(repository: Repository, { from, to }: DiffRange): Promise<string | null> {
  // Ids of blobs in full, by which binary files differ.
  const diffOptions = ['--full-index', '--no-renames', '--no-ext-diff', '--no-textconv'];
  const args = ['diff-tree', '-r', '-p', ...diffOptions, requireSha(from), requireSha(to), '--'];
  try {
    const { stdout } = await onCommit(to, runGit(repository, args, { pool: 'long', maxBytes: MAX_DIFF_BYTES }));
    if (stdout.length === 0) return null;
    const answer = await runGitText(repository, ['patch-id', '--stable'], { pool: 'long', input: stdout });
    return /^[0-9a-f]{40,64}/.exec(answer)?.[0] ?? null;
  } catch (error) {
    // A job has run out of its time; a request is Overloaded, and leaves it to one.
    if (error instanceof GitOutputTooLarge || error instanceof GitTooCostly || error instanceof GitTimeout) return null;
    throw error;
  }
}
