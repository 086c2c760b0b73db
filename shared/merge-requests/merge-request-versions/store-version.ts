import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { columns, sql } from '../../core/sql.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';
import type { ReadVersion } from './read-version.js';

/** The newest version of a merge request; null before the first. */
export const newestVersion = (ctx: Context<Caller>, mergeRequestId: number): Promise<MergeRequestVersion | null> =>
  ctx.queryOne<MergeRequestVersion>(sql`
    select ${columns(MergeRequestVersion, 'v')} from merge_request_versions v
     where v.merge_request_id = ${mergeRequestId} order by v.id desc limit 1`);

/** Titles are as long as git tells them; people and times are short. */
async function storeCommits(ctx: Context<Caller>, projectId: number, versionId: number, { commits }: ReadVersion) {
  if (commits.length === 0) return;
  const column = (read: (commit: ReadVersion['commits'][number]) => string) => commits.map(read);
  await ctx.query(sql`
    insert into merge_request_version_commits
      (project_id, version_id, position, sha, title, author_name, author_email, authored_date, committed_date)
    select ${projectId}, ${versionId}, u.position - 1, u.sha, u.title, u.author_name, u.author_email, u.authored_date,
           u.committed_date
      from unnest(${column(({ sha }) => sha)}::text[], ${column(({ title }) => title.replaceAll('\0', ''))}::text[],
                  ${column((commit) => commit.author_name)}::text[], ${column((commit) => commit.author_email)}::text[],
                  ${column((commit) => commit.authored_date)}::text[], ${column((commit) => commit.committed_date)}::text[])
        with ordinality as u (sha, title, author_name, author_email, authored_date, committed_date, position)`);
}

/**
 * Writes a new version of a merge request, which is locked, and the shas of it beside the merge request itself. Whether
 * it can be merged is not known from then on.
 * @param now when it was made
 */
export async function storeVersion(
  ctx: Context<Caller>,
  { id, project_id, prepared_at }: Pick<MergeRequest, 'id' | 'project_id' | 'prepared_at'>,
  read: ReadVersion,
  now: Date = ctx.clock.now(),
): Promise<MergeRequestVersion> {
  const { commits: _commits, ...columnsOfVersion } = read;
  const versionId = await ctx.em.insert(MergeRequestVersion, {
    ...columnsOfVersion,
    project_id,
    merge_request_id: id,
    created_at: now,
  });
  await storeCommits(ctx, project_id, versionId, read);
  const { head_sha, base_sha, start_sha } = read;
  await ctx.em.nativeUpdate(
    MergeRequest,
    { id },
    { head_sha, base_sha, start_sha, prepared_at: prepared_at ?? now, merge_status: 'unchecked', merge_error: null },
  );
  return { ...columnsOfVersion, id: versionId, project_id, merge_request_id: id, created_at: now };
}
