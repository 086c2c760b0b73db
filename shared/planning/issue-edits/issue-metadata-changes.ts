import type { SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
import { assignableUsers } from '../issuables/assignable-users.js';
import { changedLabels } from '../issuables/change-labels.js';
import type { AskedLabels } from '../issuables/change-labels.js';
import { chosenMilestone } from '../issuables/chosen-milestone.js';
import type { NamedMilestone } from '../issuables/issuable-changes.js';
import { issueType } from '../issuables/issuable-type.js';
import { setAssignees, setLabels } from '../issuables/set-people-and-labels.js';
import { assigneesOfIssues, labelsOfIssues } from '../issues/issue.loads.js';
import type { IssueRecord } from '../issues/issue.record.js';
import type { Edit } from './issue-text-changes.js';
import { assigneesGiven, requireNoEpic } from './issue-values.js';

interface Asked extends AskedLabels {
  readonly assignee_ids?: readonly number[] | undefined;
  readonly assignee_id?: number | undefined;
  readonly milestone_id?: number | null | undefined;
  readonly epic_id?: number | undefined;
  readonly confidential?: boolean | undefined;
  readonly discussion_locked?: boolean | undefined;
  readonly start_date?: string | null | undefined;
  readonly due_date?: string | null | undefined;
  readonly weight?: number | null | undefined;
  readonly severity?: string | undefined;
  readonly issue_type?: string | undefined;
}

/** @throws Invalid for a milestone that the project does not have */
async function editMilestone(ctx: SignedInContext, issue: IssueRecord, asked: Asked, edit: Edit): Promise<void> {
  if (asked.milestone_id === undefined) return;
  const before = issue.milestone_id ?? null;
  if ((asked.milestone_id ?? 0) === (before ?? 0)) return;
  const to = await chosenMilestone(ctx, issue.project, asked.milestone_id ?? 0);
  const from =
    before === null
      ? null
      : await ctx.queryOne<NamedMilestone>(sql`
          select m.id as "id", m.title as "title" from milestones m where m.id = ${before}`);
  edit.columns.milestone_id = to?.id ?? null;
  edit.changes.push({ attribute: 'milestone', from, to });
}

async function editAssignees(ctx: SignedInContext, issue: IssueRecord, asked: Asked, edit: Edit): Promise<void> {
  const given = assigneesGiven(asked);
  if (given === undefined) return;
  await assigneesOfIssues.fill(ctx, [issue]);
  const before: readonly UserSummary[] = assigneesOfIssues.of(issue, ctx) ?? [];
  const after = await assignableUsers(ctx, issue.project, given, issue.project.issues_access_level);
  edit.changes.push(...(await setAssignees(ctx, issueType, issue, { before, after })));
}

/** @throws Invalid for a title that is too long */
async function editLabels(ctx: SignedInContext, issue: IssueRecord, asked: Asked, edit: Edit): Promise<void> {
  if (!asked.labels && !asked.add_labels && !asked.remove_labels) return;
  await labelsOfIssues.fill(ctx, [issue]);
  const before = (labelsOfIssues.of(issue, ctx) ?? []).map(({ id, title }) => ({ id, title }));
  const after = await changedLabels(ctx, issue.project, before, asked);
  edit.changes.push(...(await setLabels(ctx, issueType, issue, { before, after })));
}

/** Values in columns of their own. */
function editColumns(ctx: SignedInContext, issue: IssueRecord, asked: Asked, { columns, changes }: Edit): void {
  for (const attribute of ['confidential', 'discussion_locked'] as const) {
    const to = asked[attribute];
    if (to === undefined || to === (issue[attribute] ?? false)) continue;
    columns[attribute] = to;
    changes.push({ attribute, to });
  }
  for (const attribute of ['start_date', 'due_date'] as const) {
    const to = asked[attribute];
    const from = issue[attribute] ?? null;
    if (to === undefined || to === from) continue;
    columns[attribute] = to;
    changes.push({ attribute, from, to });
  }
  const weight = ctx.hasPlan('premium') ? asked.weight : undefined;
  if (weight !== undefined && weight !== (issue.weight ?? null)) {
    columns.weight = weight;
    changes.push({ attribute: 'weight', from: issue.weight ?? null, to: weight });
  }
  const isIncident = (asked.issue_type ?? issue.issue_type) === 'incident';
  if (isIncident && asked.severity !== undefined && asked.severity !== issue.severity) {
    columns.severity = asked.severity;
    changes.push({ attribute: 'severity', from: issue.severity, to: asked.severity });
  }
}

/**
 * What only Planners and above set: labels, assignees, milestone, dates and the like.
 * @throws Invalid, NotFound for an epic
 */
export async function editMetadata(ctx: SignedInContext, issue: IssueRecord, asked: Asked, edit: Edit): Promise<void> {
  requireNoEpic(ctx, asked.epic_id);
  editColumns(ctx, issue, asked, edit);
  await editMilestone(ctx, issue, asked, edit);
  await editLabels(ctx, issue, asked, edit);
  await editAssignees(ctx, issue, asked, edit);
}
