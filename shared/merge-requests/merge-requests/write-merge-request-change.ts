import type { SignedInContext } from '../../core/context/context.js';
import type { MergeRequestChange } from '../merge-requests.events.js';
import { MergeRequest } from './merge-request.entity.js';
import type { MergeRequestRecord } from './merge-request.entity.js';
import { findMergeRequest } from './merge-request.finder.js';
import { updateOpenMergeRequestCounts } from './open-merge-requests-count.js';

/** Columns that an edit writes; what stays is left out. */
export type MergeRequestColumns = {
  [Column in keyof MergeRequest]?: Exclude<MergeRequest[Column], undefined>;
};

/**
 * Writes the changes of a locked merge request and records the event; does nothing without changes.
 * @returns the updated merge request
 */
export async function writeMergeRequestChange(
  ctx: SignedInContext,
  before: MergeRequestRecord,
  columns: MergeRequestColumns,
  changes: readonly MergeRequestChange[],
): Promise<MergeRequestRecord> {
  if (changes.length === 0) return before;
  const values = { updated_at: ctx.clock.now(), updated_by_id: ctx.caller.id, ...columns };
  await ctx.em.nativeUpdate(MergeRequest, { id: before.id }, values as Required<MergeRequestColumns>);
  const request = await findMergeRequest(ctx, before.project, before.iid);
  await updateOpenMergeRequestCounts(ctx, [before], [request]);
  ctx.record({ type: 'merge_request.changed', merge_request: request, project: before.project, changes });
  return request;
}
