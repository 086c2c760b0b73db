import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { List } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { forContainers } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { issuesOfAll, issuesOfProject } from './issue.finder.js';
import type { ListedIssue } from './issue.entity.js';
import { onIssues } from './visible-issues.js';
import { projectIssuePolicy } from './issue.policy.js';
import { milestoneParam } from '../milestones/edit-milestones.js';
import { findMilestoneOf } from '../milestones/milestone.finder.js';
import { milestonePolicy } from '../milestones/milestone.policy.js';

/** The issues of a milestone that the caller may read. */
function getIssues(ctx: Context, container: Container, milestoneId: number): List<ListedIssue> {
  const planned = onIssues('i.milestone_id', '=', milestoneId);
  if (container.kind === 'group') return issuesOfAll(ctx, [planned]);
  const open = projectIssuePolicy.read_issue(ctx.caller, container.record);
  return issuesOfProject(ctx, container.record, open ? [planned] : [constant(false)]);
}

/** List the issues of a milestone that the caller can read, newest first. */
export const listMilestoneIssues = forContainers(({ kind, noun, resource }) =>
  operation({
    name: `list${noun}MilestoneIssues`,
    summary: `List the issues of a milestone of a ${kind}`,
    resource,
    can: can(milestonePolicy, 'read_milestone'),
    authentication: 'open',
    kind: 'read',
    statements: 9,
    params: milestoneParam,
    async run(ctx, container, { milestone_id: id }): Promise<List<ListedIssue>> {
      await findMilestoneOf(ctx, container, id);
      return getIssues(ctx, container, id);
    },
  }),
);
