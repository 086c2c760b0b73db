import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import { sql, textColumns } from '../../core/sql.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.record.js';
import { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';

const selected = textColumns(MergeRequestVersion, 'v');

/** The versions of a merge request, the newest first. */
export const versionsOf = ({ id }: MergeRequestRecord): TextList<MergeRequestVersion> => ({
  select: selected,
  from: sql`merge_request_versions v`,
  where: [sql`v.merge_request_id = ${id}`],
  order: [byId('v', 'desc')],
});

/** @throws NotFound "404 Not found", also for a version of another merge request */
export async function findMergeRequestVersion(
  ctx: Context,
  { id }: MergeRequestRecord,
  versionId: number,
): Promise<MergeRequestVersion> {
  const version = await ctx.queryOne<MergeRequestVersion>(sql`
    select ${selected} from merge_request_versions v where v.merge_request_id = ${id} and v.id = ${versionId}`);
  if (!version) throw new NotFound();
  return version;
}
