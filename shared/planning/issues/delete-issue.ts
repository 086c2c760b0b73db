import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { Issue } from './issue.entity.js';
import type { IssueRecord } from './issue.entity.js';
import { issueToDelete } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';
import { updateOpenIssueCounts } from './open-issues-count.js';

async function remove(ctx: Context, found: IssueRecord): Promise<void> {
  ctx.record({ type: 'issue.deleted', issue: found, project: found.project });
  // Subscribers read the dependent records while they still exist.
  await ctx.publishRecorded();
  if ((await ctx.em.nativeDelete(Issue, { id: found.id })) === 0) throw new NotFound('Issue');
  await updateOpenIssueCounts(ctx, [found], []);
}

/** Delete an issue: Owners and Planners of the project (core-resources.md section 6). */
export const deleteIssue = operation({
  name: 'deleteIssue',
  summary: 'Delete an issue',
  resource: issueToDelete,
  can: can(issuePolicy, 'destroy_issue'),
  kind: 'write',
  conditional: true,
  run: remove,
});
