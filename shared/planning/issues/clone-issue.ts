import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { boolean, integer, optional } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { findIssue, issue } from './issue.finder.js';
import { projectIssuePolicy } from './issue.policy.js';
import type { IssueRecord } from './issue.entity.js';
import { updateOpenIssueCounts } from './open-issues-count.js';
import { copyIssue } from './copy-issue.js';
import { textOfClonedIssue } from './issue-spam.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';

async function clone(
  ctx: SignedInContext,
  found: IssueRecord,
  target: ProjectRecord,
  withNotes: boolean,
): Promise<IssueRecord> {
  const { move_issue_to: mayWrite } = projectIssuePolicy;
  if (!mayWrite(ctx.caller, found.project) || !mayWrite(ctx.caller, target))
    throw new Invalid('Cannot clone issue due to insufficient permissions!');
  const { iid } = await copyIssue(ctx, found, target, {});
  const to = await findIssue(ctx, target, iid);
  await updateOpenIssueCounts(ctx, [], [to]);
  ctx.record({
    type: 'issue.cloned',
    from: { issue: found, project: found.project },
    to: { issue: to, project: target },
    with_notes: withNotes,
  });
  return to;
}

/** Make a copy of an issue, open and by the caller, in another project or the same: Reporters of both. */
export const cloneIssue = operation({
  name: 'cloneIssue',
  summary: 'Clone an issue',
  resource: issue,
  kind: 'write',
  precheck: againstSpam(textOfClonedIssue),
  statements: 26,
  params: {
    to_project_id: integer().describe('ID of the project to create the clone in.'),
    with_notes: optional(boolean()).describe('If `true`, also copies the comments and threads of the issue.'),
  },
  run: async (ctx, found, input) =>
    clone(ctx, found, await findProject(ctx, input.to_project_id), input.with_notes ?? false),
});
