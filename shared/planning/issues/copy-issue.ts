import type { SignedInContext } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { assignableUsers } from '../issuables/assignable-users.js';
import type { MilestoneSummary } from '../issuables/issuable-changes.js';
import { issueType } from '../issuables/issuable-type.js';
import { findLabelsByTitle } from '../issuables/labels-of-titles.js';
import { setAssignees, setLabels } from '../issuables/set-people-and-labels.js';
import type { Issue, IssueRecord } from './issue.entity.js';
import { assigneesOfIssues, labelsOfIssues } from './issue.loads.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { insertIssue } from './insert-issue.js';

/** What every copy has of its original. */
const COPIED = [
  'title',
  'description',
  'issue_type',
  'confidential',
  'discussion_locked',
  'weight',
  'severity',
  'start_date',
  'due_date',
] as const;

/** The milestone of the same title in another project or its groups. */
async function milestoneAlike(
  ctx: SignedInContext,
  target: ProjectRecord,
  id: number,
): Promise<MilestoneSummary | undefined> {
  return ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('milestones as m')
    .innerJoin('milestones as t', 't.title', 'm.title')
    .select(['t.id', 't.title'])
    .where('m.id', '=', id)
    .where((eb) =>
      eb.or([
        eb('t.project_id', '=', target.id),
        eb('t.namespace_id', '=', anyOf(target.namespace.traversal_ids, 'bigint')),
      ]),
    )
    .orderBy((eb) => eb('t.id', '=', eb.ref('m.id')), 'desc')
    .orderBy('t.project_id', (order) => order.asc().nullsLast())
    .orderBy('t.id')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Copies an issue to another project, or within the same one: with the labels and the milestone of the same titles in
 * the target, and the assignees who can read it there.
 * @param values fields that differ from the original
 * @returns the id and number of the copy
 */
export async function copyIssue(
  ctx: SignedInContext,
  original: IssueRecord,
  target: ProjectRecord,
  values: Partial<Issue>,
): Promise<{ id: number; iid: number }> {
  await Promise.all([labelsOfIssues.fill(ctx, [original]), assigneesOfIssues.fill(ctx, [original])]);
  const titles = (labelsOfIssues.of(original, ctx) ?? []).map(({ title }) => title);
  const userIds = (assigneesOfIssues.of(original, ctx) ?? []).map(({ id }) => id);
  const labels = titles.length > 0 ? await findLabelsByTitle(ctx, target, titles) : [];
  const assignees = await assignableUsers(ctx, target, userIds, target.issues_access_level);
  const { milestone_id: milestoneId } = original;
  const milestone = milestoneId ? await milestoneAlike(ctx, target, milestoneId) : null;
  const copied = Object.fromEntries(COPIED.map((name) => [name, original[name] ?? null])) as Partial<Issue>;
  const copy = await insertIssue(ctx, target.id, {
    ...copied,
    title: original.title,
    milestone_id: milestone?.id ?? null,
    ...values,
  });
  const ref = { id: copy.id, project_id: target.id };
  await setLabels(ctx, issueType, ref, { before: [], after: labels });
  await setAssignees(ctx, issueType, ref, { before: [], after: assignees });
  return copy;
}
