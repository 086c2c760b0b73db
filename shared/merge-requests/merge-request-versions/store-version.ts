import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql, textColumns } from '../../core/sql.js';
import { MergeRequest } from '../merge-requests/merge-request.entity.js';
import { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';
import type { ReadVersion } from './read-version.js';

/** The newest version of a merge request; null before the first. */
export const newestVersion = (ctx: Context<Caller>, mergeRequestId: number): Promise<MergeRequestVersion | null> =>
  ctx.queryOne<MergeRequestVersion>(sql`
    select ${textColumns(MergeRequestVersion, 'v')} from merge_request_versions v
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

/** A version as it was at its time, and the merge request that it is of. */
interface OldVersion {
  readonly request: Pick<MergeRequest, 'id' | 'prepared_at'>;
  readonly read: ReadVersion;
  readonly created_at: Date;
}

/**
 * The same for versions of some merge requests of a project, the oldest of each first, by a few statements for all of
 * them: what the last one of each is stands beside the merge request.
 */
export async function storeVersions(
  ctx: Context<Caller>,
  projectId: number,
  versions: readonly OldVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  const ids = await ctx.query<{ id: number }>(sql`
    select nextval(pg_get_serial_sequence('merge_request_versions', 'id')) as "id"
      from generate_series(1, ${versions.length}::integer)`);
  const rows = versions.map(({ request, read, created_at }, index) => {
    const { commits: _commits, ...columnsOfVersion } = read;
    return { ...columnsOfVersion, id: ids[index]?.id ?? 0, merge_request_id: request.id, created_at };
  });
  await ctx.query(sql`
    insert into merge_request_versions (id, project_id, merge_request_id, head_sha, base_sha, start_sha, commits_count,
                                        files_count, files_overflow, patch_id_sha, created_at)
    select x.id, ${projectId}::bigint, x.merge_request_id, x.head_sha, x.base_sha, x.start_sha, x.commits_count,
           x.files_count, x.files_overflow, x.patch_id_sha, x.created_at
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as x (id bigint, merge_request_id bigint, head_sha text, base_sha text, start_sha text, commits_count integer,
              files_count integer, files_overflow boolean, patch_id_sha text, created_at timestamptz)`);
  for (const [index, { read }] of versions.entries()) await storeCommits(ctx, projectId, ids[index]?.id ?? 0, read);
  const last = new Map(
    versions.map(({ request, read: { head_sha, base_sha, start_sha }, created_at }) => [
      request.id,
      { id: request.id, head_sha, base_sha, start_sha, prepared_at: request.prepared_at ?? created_at },
    ]),
  );
  await ctx.query(sql`
    update merge_requests i
       set head_sha = x.head_sha, base_sha = x.base_sha, start_sha = x.start_sha, prepared_at = x.prepared_at,
           merge_status = 'unchecked', merge_error = null
      from jsonb_to_recordset(${JSON.stringify([...last.values()])}::jsonb)
        as x (id bigint, head_sha text, base_sha text, start_sha text, prepared_at timestamptz)
     where i.id = x.id`);
}
