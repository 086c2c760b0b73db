import { expressionBuilder } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { NotFound } from '../../core/values/errors.js';
import { byId } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Aliased } from '../../core/database/tables.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.record.js';
import { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';

type OfVersions = Aliased<MergeRequestsDatabase, { v: 'merge_request_versions' }>;

const selectVersions = (query: SelectQueryBuilder<OfVersions, 'v', object>) =>
  query.select(columns(MergeRequestVersion, 'v'));

/** The versions of a merge request, the newest first. */
export const versionsOf = ({ id }: MergeRequestRecord): List<MergeRequestVersion> => ({
  matching: expressionBuilder<OfVersions>()
    .selectFrom('merge_request_versions as v')
    .where('v.merge_request_id', '=', id),
  select: selectVersions,
  order: [byId('v', 'desc')],
});

/** @throws NotFound "404 Not found", also for a version of another merge request */
export async function findMergeRequestVersion(
  ctx: Context,
  { id }: MergeRequestRecord,
  versionId: number,
): Promise<MergeRequestVersion> {
  const version = await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .selectFrom('merge_request_versions as v')
    .select(columns(MergeRequestVersion, 'v'))
    .where('v.merge_request_id', '=', id)
    .where('v.id', '=', versionId)
    .executeTakeFirst();
  if (!version) throw new NotFound();
  return version;
}
