import { expressionBuilder } from 'kysely';
import type { SelectQueryBuilder, Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { NotFound } from '../../core/values/errors.js';
import { byId } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Aliased } from '../../core/database/tables.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';

type OfVersions = Aliased<MergeRequestsDatabase, { v: 'merge_request_versions' }>;

const selectVersions = (query: SelectQueryBuilder<OfVersions, 'v', object>) =>
  query.select(columns(MergeRequestVersion, 'v'));

/** The versions of a merge request, the newest first. */
export const findMergeRequestVersions = ({ id }: MergeRequestRecord): List<MergeRequestVersion> => ({
  matching: expressionBuilder<OfVersions>()
    .selectFrom('merge_request_versions as v')
    .where('v.merge_request_id', '=', id),
  select: selectVersions,
  order: [byId('v', 'desc')],
});

const findVersion = prepareQuery(
  (
    db: Kysely<MergeRequestsDatabase>,
    { merge_request_id, id }: Placeholders<{ merge_request_id: number; id: number }>,
  ) =>
    db
      .selectFrom('merge_request_versions as v')
      .select(columns(MergeRequestVersion, 'v'))
      .where('v.merge_request_id', '=', merge_request_id)
      .where('v.id', '=', id),
);

/** @throws NotFound "404 Not found", also for a version of another merge request */
export async function findMergeRequestVersion(
  ctx: Context,
  { id }: MergeRequestRecord,
  versionId: number,
): Promise<MergeRequestVersion> {
  const [version] = await findVersion(ctx, { merge_request_id: id, id: versionId });
  if (!version) throw new NotFound();
  return version;
}
