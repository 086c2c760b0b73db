import type { Context } from '../../core/context/context.js';
import type { Load } from '../../core/context/loads.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { epicOfIssue, epicsOfIssues } from '../epics/epics-of-issues.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { labelsInFull, milestonesOfIssuables } from '../issuables/issuable-loads.js';
import { taskCompletion, timeStats } from '../issuables/issuable.serializer.js';
import { milestoneSerializer } from '../milestones/milestone.serializer.js';
import { labelSummary } from '../labels/label-summary.serializer.js';
import { referenceFrom } from './issue-references.js';
import {
  closingCounts,
  assigneesOfIssues,
  blockingCounts,
  duplicatedIssues,
  labelsOfIssues,
  moveTargets,
  subscriptions,
} from './issue.loads.js';
import type { ListedIssue } from './issue.entity.js';

const link = (suffix: string) => (issue: ListedIssue, ctx: Context) =>
  `${ctx.config.externalUrl}/api/v4/projects/${issue.project_id}${suffix}`;
const ownLink = (suffix: string) => (issue: ListedIssue, ctx: Context) =>
  link(`/issues/${issue.iid}${suffix}`)(issue, ctx);

function duplicateLink(issue: ListedIssue, ctx: Context): string | null {
  const original = duplicatedIssues.of(issue, ctx);
  return original ? `${ctx.config.externalUrl}/api/v4/projects/${original.project_id}/issues/${original.iid}` : null;
}

const linksSerializer = serializer<ListedIssue>('IssueUrls', {
  self: out.text(ownLink('')),
  notes: out.text(ownLink('/notes')),
  award_emoji: out.text(ownLink('/award_emoji')),
  project: out.text(link('')),
  closed_as_duplicate_of: out.nullableText(duplicateLink),
});

const referencesSerializer = serializer<ListedIssue>('IssueReferences', {
  short: out.text((issue) => `#${issue.iid}`),
  relative: out.text((issue) => referenceFrom(issue.reference_base, issue.full_path, `#${issue.iid}`), {
    description: 'Reference to the issue, relative to the project or group of the request.',
  }),
  full: out.text((issue) => `${issue.full_path}#${issue.iid}`),
});

function taskStatus({ task_count: count, completed_task_count: completed }: ListedIssue): string {
  if (count === 0) return '';
  return `${completed} of ${count} checklist ${count === 1 ? 'item' : 'items'} completed`;
}

const getAssignees = (issue: ListedIssue, ctx: Context) => assigneesOfIssues.of(issue, ctx) ?? [];

/** Weights require Premium; stored values are retained without it. */
const getWeight = (issue: ListedIssue, ctx: Context) => (ctx.hasPlan('premium') ? (issue.weight ?? null) : null);

/** Epics come with Premium; issues keep theirs for it. */
const ofEpic = visibleIf<ListedIssue>((_issue, ctx) => ctx.hasPlan('premium'), {
  epic_iid: out.nullableInteger((issue, ctx) => epicsOfIssues.of(issue, ctx)?.iid ?? null),
  epic: out.nullableRecord(epicOfIssue, (issue, ctx) => epicsOfIssues.of(issue, ctx) ?? null),
});

const fields: Record<string, OutField<ListedIssue>> = {
  id: out.integer((issue) => issue.id),
  iid: out.integer((issue) => issue.iid),
  project_id: out.integer((issue) => issue.project_id),
  title: out.text((issue) => issue.title),
  description: out.nullableText((issue) => issue.description ?? null),
  state: out.text((issue) => issue.state, { enum: ['opened', 'closed'] }),
  created_at: out.instant((issue) => issue.created_at),
  updated_at: out.instant((issue) => issue.updated_at),
  closed_at: out.nullableInstant((issue) => issue.closed_at ?? null),
  closed_by: out.nullableRecord(userSummary, (issue) => issue.closed_by),
  labels: out.texts((issue, ctx) => (labelsOfIssues.of(issue, ctx) ?? []).map(({ title }) => title)),
  milestone: out.nullableRecord(milestoneSerializer, (issue, ctx) => milestonesOfIssuables.of(issue, ctx) ?? null),
  assignees: out.records(userSummary, getAssignees),
  author: out.nullableRecord(userSummary, (issue) => issue.author),
  type: out.text((issue) => issue.issue_type.toUpperCase(), { enum: ['ISSUE', 'INCIDENT', 'TEST_CASE', 'TASK'] }),
  assignee: out.nullableRecord(userSummary, (issue, ctx) => getAssignees(issue, ctx)[0] ?? null, {
    description: 'First of the assignees of the issue.',
  }),
  user_notes_count: out.integer((issue) => issue.user_notes_count),
  merge_requests_count: out.integer((issue, ctx) => closingCounts.of(issue, ctx) ?? 0),
  upvotes: out.integer((issue) => issue.upvotes),
  downvotes: out.integer((issue) => issue.downvotes),
  start_date: out.nullableDay((issue) => issue.start_date ?? null),
  due_date: out.nullableDay((issue) => issue.due_date ?? null),
  confidential: out.boolean((issue) => issue.confidential),
  discussion_locked: out.nullableFlag((issue) => issue.discussion_locked ?? null),
  issue_type: out.text((issue) => issue.issue_type, { enum: ['issue', 'incident', 'test_case', 'task'] }),
  web_url: out.text((issue, ctx) => `${ctx.config.externalUrl}/${issue.full_path}/-/issues/${issue.iid}`),
  time_stats: out.record(timeStats, (issue) => issue),
  task_completion_status: out.record(taskCompletion, (issue) => issue),
  weight: out.nullableInteger(getWeight),
  blocking_issues_count: out.integer((issue, ctx) => blockingCounts.of(issue, ctx) ?? 0),
  has_tasks: out.boolean((issue) => issue.task_count > 0),
  task_status: out.text(taskStatus),
  _links: out.record(linksSerializer, (issue) => issue),
  references: out.record(referencesSerializer, (issue) => issue),
  severity: out.text((issue) => (issue.issue_type === 'incident' ? issue.severity : 'unknown').toUpperCase(), {
    enum: ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'],
  }),
  moved_to_id: out.nullableInteger((issue, ctx) => moveTargets.of(issue, ctx) ?? null),
  imported: out.boolean((issue) => issue.imported_from !== 'none'),
  imported_from: out.text((issue) => issue.imported_from),
  service_desk_reply_to: out.nullableText((issue) => issue.service_desk_reply_to ?? null),
  ...ofEpic,
};

/** Data that an issue shows in addition to its record. */
export const issueLoads: readonly Load<ListedIssue>[] = [
  labelsOfIssues,
  assigneesOfIssues,
  milestonesOfIssuables,
  duplicatedIssues,
  blockingCounts,
  closingCounts,
  moveTargets,
  epicsOfIssues,
];

/** An issue in lists (issue-links.md section 2). */
export const issueSerializer = serializer<ListedIssue>('Issue', fields, { loads: issueLoads });

/** The same with the labels as records, for lists with `with_labels_details`. */
export const issueWithLabelDetails = serializer<ListedIssue>(
  'IssueWithLabelDetails',
  { ...fields, labels: out.records(labelSummary, (issue, ctx) => labelsOfIssues.of(issue, ctx) ?? []) },
  { loads: [labelsInFull(labelsOfIssues), ...issueLoads.filter((one) => one !== labelsOfIssues)] },
);

/** A single issue, including whether the caller is subscribed. */
export const issueDetails = serializer<ListedIssue>(
  'IssueDetails',
  { ...fields, subscribed: out.boolean((issue, ctx) => subscriptions.of(issue, ctx) ?? false) },
  { loads: [...issueLoads, subscriptions] },
);
