import { expressionBuilder } from 'kysely';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import { findProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { Issue } from './issue.entity.js';
import type { IssueRecord } from './issue.entity.js';
import { findIssue, issue } from './issue.finder.js';
import { issuePolicy, projectIssuePolicy } from './issue.policy.js';
import { updateOpenIssueCounts } from './open-issues-count.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { copyIssue } from './copy-issue.js';
import { textOfMovedIssue } from './issue-spam.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';

/** Reporters of both projects move an issue, once (core-resources.md section 6). @throws Invalid */
function requireMovable(ctx: Context, found: IssueRecord, target: ProjectRecord): void {
  if (found.project_id === target.id) throw new Invalid('Cannot move issue to project it originates from!');
  const may = issuePolicy.move_issue(ctx.caller, found) && projectIssuePolicy.move_issue_to(ctx.caller, target);
  if (!may || found.moved_to_id) throw new Invalid('Cannot move issue due to insufficient permissions!');
}

/** Data that belongs to the issue alone: its subscriptions and its time spent. */
async function transferDetails(ctx: Context, from: IssueRecord, to: { id: number; project_id: number }): Promise<void> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  const eb = expressionBuilder<PlanningDatabase>();
  const target = [
    eb.cast<number>(eb.val(to.project_id), 'bigint').as('project_id'),
    eb.cast<number>(eb.val(to.id), 'bigint').as('issue_id'),
  ];
  await db
    .insertInto('issue_subscriptions')
    .columns(['project_id', 'issue_id', 'user_id', 'subscribed'])
    .expression(
      eb
        .selectFrom('issue_subscriptions as s')
        .select(target)
        .select(['s.user_id', 's.subscribed'])
        .where('s.issue_id', '=', from.id),
    )
    .execute();
  await db
    .insertInto('issue_timelogs')
    .columns(['project_id', 'issue_id', 'user_id', 'time_spent', 'summary', 'spent_at', 'created_at'])
    .expression(
      eb
        .selectFrom('issue_timelogs as l')
        .select(target)
        .select(['l.user_id', 'l.time_spent', 'l.summary', 'l.spent_at', 'l.created_at'])
        .where('l.issue_id', '=', from.id)
        .orderBy('l.id'),
    )
    .execute();
}

async function closeAsMoved(ctx: SignedInContext, found: IssueRecord, movedToId: number): Promise<void> {
  const now = ctx.clock.now();
  const closing = found.state === 'closed' ? {} : { state: 'closed', closed_at: now, closed_by_id: ctx.caller.id };
  await ctx.em.nativeUpdate(
    Issue,
    { id: found.id },
    { moved_to_id: movedToId, updated_at: now, updated_by_id: ctx.caller.id, ...closing },
  );
}

async function move(ctx: SignedInContext, found: IssueRecord, target: ProjectRecord): Promise<IssueRecord> {
  requireMovable(ctx, found, target);
  const { id, iid } = await copyIssue(ctx, found, target, {
    state: found.state,
    closed_at: found.closed_at ?? null,
    closed_by_id: found.closed_by_id ?? null,
    author_id: found.author_id ?? null,
    time_estimate: found.time_estimate,
    total_time_spent: found.total_time_spent,
    service_desk_reply_to: found.service_desk_reply_to ?? null,
    created_at: found.created_at,
    updated_at: ctx.clock.now(),
  });
  await transferDetails(ctx, found, { id, project_id: target.id });
  await closeAsMoved(ctx, found, id);
  const from = await findIssue(ctx, found.project, found.iid);
  const to = await findIssue(ctx, target, iid);
  await updateOpenIssueCounts(ctx, [found], [from, to]);
  ctx.record({ type: 'issue.moved', from: { issue: from, project: from.project }, to: { issue: to, project: target } });
  if (found.state !== from.state)
    ctx.record({
      type: 'issue.changed',
      issue: from,
      project: from.project,
      changes: [{ attribute: 'state', to: 'closed' }],
    });
  return to;
}

/** Recreate an issue in another project and close it here: Reporters of both. */
export const moveIssue = operation({
  name: 'moveIssue',
  summary: 'Move an issue to another project',
  resource: issue,
  kind: 'write',
  precheck: againstSpam(textOfMovedIssue),
  statements: 34,
  params: { to_project_id: integer().describe('ID of the project to move the issue to.') },
  run: async (ctx, found, input) => move(ctx, found, await findProject(ctx, input.to_project_id)),
});
