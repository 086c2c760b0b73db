import { Overloaded } from '../../core/values/errors.js';
import { notifyPages } from '../../core/page-changes/page-changes.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import {
  countFiles,
  GitTimeout,
  GitTooCostly,
  MOST_DIFF_FILES,
  patchId,
  RepositoryMissing,
  RevisionNotFound,
} from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';

/** How many files a version changes. Neither is known of one that was not counted yet. */
export interface CountedFiles {
  /** Null together with `files_overflow` if the files are too many, or nested too deeply, to be compared at all. */
  readonly files_count: number | null;
  readonly files_overflow: boolean;
  /** The id of what it changes; null where nothing or too much does. */
  readonly patch_id_sha: string | null;
}

export const UNCOUNTED: CountedFiles = { files_count: null, files_overflow: false, patch_id_sha: null };
const TOO_MANY: CountedFiles = { files_count: null, files_overflow: true, patch_id_sha: null };

/** Whether a version changes more than can be compared. */
export const isTooLargeToCompare = ({ files_count: count, files_overflow: overflow }: Partial<CountedFiles>): boolean =>
  (count ?? null) === null && overflow === true;

/** How many files a version changes. @throws as git fails, but for what takes too much */
async function count(
  repository: Repository,
  { head_sha: to, base_sha: base, start_sha: start }: { head_sha: string; base_sha?: string | null; start_sha: string },
): Promise<CountedFiles> {
  try {
    const range = { from: base ?? start, to };
    const files = await countFiles(repository, range, MOST_DIFF_FILES + 1);
    const files_overflow = files > MOST_DIFF_FILES;
    const patch_id_sha = files_overflow ? null : await patchId(repository, range);
    return { files_count: Math.min(files, MOST_DIFF_FILES), files_overflow, patch_id_sha };
  } catch (error) {
    if (error instanceof GitTooCostly) return TOO_MANY;
    throw error;
  }
}

/** The same for requests: files that cannot be counted in time are left to a job. @throws RevisionNotFound */
export async function countVersionFiles(
  repository: Repository,
  shas: Parameters<typeof count>[1],
): Promise<CountedFiles> {
  try {
    return await count(repository, shas);
  } catch (error) {
    if (error instanceof Overloaded || error instanceof GitTimeout) return UNCOUNTED;
    throw error;
  }
}

/** Counts the files of a version that were not counted yet. Done twice, it changes nothing more. */
export async function countFilesOfVersion(
  ctx: Context<Caller>,
  { version_id: id }: { version_id: number },
): Promise<void> {
  const version = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_request_versions as v')
    .select(columns(MergeRequestVersion, 'v'))
    .where('v.id', '=', id)
    .where('v.files_count', 'is', null)
    .where((eb) => eb.not(eb.ref('v.files_overflow')))
    .executeTakeFirst();
  if (!version) return;
  const counted = await count(openRepository(ctx, { id: version.project_id }), version).catch((error: unknown) => {
    // Nothing is left to be counted.
    if (error instanceof RevisionNotFound || error instanceof RepositoryMissing) return null;
    // On an idle machine, a job has more time than any request: no request could display these files.
    if (error instanceof GitTimeout) return TOO_MANY;
    throw error;
  });
  if (!counted) return;
  await ctx.transaction(async () => {
    await ctx.em.nativeUpdate(MergeRequestVersion, { id }, counted);
    await notifyPages(ctx, 'merge_requests', [version.project_id]);
  });
}
