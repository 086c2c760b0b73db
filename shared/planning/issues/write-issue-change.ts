import type { SignedInContext } from '../../core/context/context.js';
import type { IssuableChange } from '../issuables/issuable-changes.js';
import { Issue } from './issue.entity.js';
import type { IssueRecord } from './issue.entity.js';
import { findIssue } from './issue.finder.js';
import { updateOpenIssueCounts } from './open-issues-count.js';

/** Columns that an edit writes; what stays is left out. */
export type IssueColumns = {
  [Column in keyof Issue]?: Exclude<Issue[Column], undefined>;
};

/**
 * Writes the changes of a locked issue and records the event; does nothing without changes.
 * @returns the updated issue
 */
export async function writeIssueChange(
  ctx: SignedInContext,
  before: IssueRecord,
  columns: IssueColumns,
  changes: readonly IssuableChange[],
): Promise<IssueRecord> {
  if (changes.length === 0) return before;
  const values = { updated_at: ctx.clock.now(), updated_by_id: ctx.caller.id, ...columns };
  await ctx.em.nativeUpdate(Issue, { id: before.id }, values as Required<IssueColumns>);
  const issue = await findIssue(ctx, before.project, before.iid);
  await updateOpenIssueCounts(ctx, [before], [issue]);
  ctx.record({
    type: 'issue.changed',
    issue,
    project: before.project,
    changes,
    closed_before: before.closed_at ?? null,
  });
  return issue;
}
