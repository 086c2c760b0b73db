import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { constant, unnested, unnestedRows } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeRequest } from '../merge-requests/merge-request.entity.js';
import { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';
import { forgottenMergeability } from './forgotten-mergeability.js';
import type { ReadVersion } from './read-version.js';

const findNewest = prepareQuery<MergeRequestsDatabase, { id: number }, MergeRequestVersion>((db, { id }) =>
  db
    .selectFrom('merge_request_versions as v')
    .select(columns(MergeRequestVersion, 'v'))
    .where('v.merge_request_id', '=', id)
    .orderBy('v.id', 'desc')
    .limit(constant(1)),
);

/** The newest version of a merge request; null before the first. */
export async function newestVersion(ctx: Context<Caller>, mergeRequestId: number): Promise<MergeRequestVersion | null> {
  const [version] = await findNewest(ctx, { id: mergeRequestId });
  return version ?? null;
}

const COMMIT_COLUMNS = ['sha', 'title', 'author_name', 'author_email', 'authored_date', 'committed_date'] as const;

/** Titles are stored at git's full length; names and times are short. */
async function storeCommits(ctx: Context<Caller>, projectId: number, versionId: number, { commits }: ReadVersion) {
  if (commits.length === 0) return;
  const rows = commits.map((commit) => ({ ...commit, title: commit.title.replaceAll('\0', '') }));
  const types = {
    sha: 'text',
    title: 'text',
    author_name: 'text',
    author_email: 'text',
    authored_date: 'text',
    committed_date: 'text',
  } as const;
  await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .insertInto('merge_request_version_commits')
    .columns(['project_id', 'version_id', 'position', ...COMMIT_COLUMNS])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(rows, types).withPositionAs('u'))
        .select((of) => [
          of.cast<number>(of.val(projectId), 'bigint').as('project_id'),
          of.cast<number>(of.val(versionId), 'bigint').as('version_id'),
          of('u.position', '-', of.lit(1)).as('position'),
          'u.sha',
          'u.title',
          'u.author_name',
          'u.author_email',
          'u.authored_date',
          'u.committed_date',
        ]),
    )
    .execute();
}

/**
 * Inserts a new version of a locked merge request and copies its shas to the merge request. Its mergeability is unknown
 * from then on.
 * @param now the creation time
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
  await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .updateTable('merge_requests')
    .set({ head_sha, base_sha, start_sha, prepared_at: prepared_at ?? now, merge_error: null })
    .set({ merge_status: forgottenMergeability })
    .where('id', '=', id)
    .execute();
  return { ...columnsOfVersion, id: versionId, project_id, merge_request_id: id, created_at: now };
}

const versionTypes = {
  id: 'bigint',
  project_id: 'bigint',
  merge_request_id: 'bigint',
  head_sha: 'text',
  base_sha: 'text',
  start_sha: 'text',
  commits_count: 'int',
  files_count: 'int',
  files_overflow: 'boolean',
  patch_id_sha: 'text',
  created_at: 'timestamptz',
} as const;
const VERSION_COLUMNS = Object.keys(versionTypes) as (keyof typeof versionTypes)[];

/** A historic version and its merge request. */
interface OldVersion {
  readonly request: Pick<MergeRequest, 'id' | 'prepared_at'>;
  readonly read: ReadVersion;
  readonly created_at: Date;
}

/**
 * The same for versions of several merge requests of a project, the oldest of each first, with a few statements for all
 * of them: the last version of each is copied to its merge request.
 */
export async function storeVersions(
  ctx: Context<Caller>,
  projectId: number,
  versions: readonly OldVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  const db = ctx.em.getKysely<MergeRequestsDatabase>();
  const ids = await db
    .selectFrom(unnested([...versions.keys()], 'int').as('u'))
    .select((eb) => {
      const sequence = eb.fn('pg_get_serial_sequence', [constant('merge_request_versions'), constant('id')]);
      return eb.fn<number>('nextval', [sequence]).as('id');
    })
    .execute();
  const rows = versions.map(({ request, read, created_at }, index) => {
    const { commits: _commits, ...columnsOfVersion } = read;
    return {
      ...columnsOfVersion,
      id: ids[index]?.id ?? 0,
      project_id: projectId,
      merge_request_id: request.id,
      created_at,
    };
  });
  await db
    .insertInto('merge_request_versions')
    .columns([...VERSION_COLUMNS])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(rows, versionTypes).as('x'))
        .select(VERSION_COLUMNS.map((name) => `x.${name}` as const)),
    )
    .execute();
  for (const [index, { read }] of versions.entries()) await storeCommits(ctx, projectId, ids[index]?.id ?? 0, read);
  const last = new Map(
    versions.map(({ request, read: { head_sha, base_sha, start_sha }, created_at }) => [
      request.id,
      { id: request.id, head_sha, base_sha, start_sha, prepared_at: request.prepared_at ?? created_at },
    ]),
  );
  const types = {
    id: 'bigint',
    head_sha: 'text',
    base_sha: 'text',
    start_sha: 'text',
    prepared_at: 'timestamptz',
  } as const;
  await db
    .updateTable('merge_requests as i')
    .from(unnestedRows([...last.values()], types).as('x'))
    .set((eb) => ({
      head_sha: eb.ref('x.head_sha'),
      base_sha: eb.ref('x.base_sha'),
      start_sha: eb.ref('x.start_sha'),
      prepared_at: eb.ref('x.prepared_at'),
      merge_status: forgottenMergeability,
      merge_error: null,
    }))
    .whereRef('i.id', '=', 'x.id')
    .execute();
}
