import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { lastCommitFor, readBlob } from '../../git/index.js';
import type { Blob } from '../../git/index.js';
import { requireCommit } from '../repositories/commit-of.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { openRepository } from '../repositories/write-refs.js';

/** A file as of one commit. */
export interface FileRecord extends Blob {
  file_path: string;
  /** As submitted by the caller. */
  ref: string;
  commit_id: string;
  last_commit_id: string;
  /** Present on request: Markdown as safe HTML, null for other files. */
  content_html?: string | null;
}

/**
 * A file of a branch, tag or commit.
 * @param maxBytes of content: a longer file is refused, or read without its content
 * @throws NotFound "404 Commit Not Found" or "404 File Not Found"; TooLarge
 */
export async function findFile(
  ctx: Context,
  found: ProjectRecord,
  file_path: string,
  ref: string,
  maxBytes: number,
  longer: 'reject' | 'leave',
): Promise<FileRecord> {
  const commit_id = await requireCommit(ctx, found, ref);
  const location = openRepository(ctx, found);
  const [blob, last_commit_id] = await withGitAnswers(() =>
    Promise.all([
      readBlob(location, commit_id, file_path, maxBytes, longer),
      lastCommitFor(location, commit_id, file_path),
    ]),
  );
  if (!blob) throw new NotFound('File');
  return { ...blob, file_path, ref, commit_id, last_commit_id: last_commit_id ?? commit_id };
}
