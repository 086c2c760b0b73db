import type { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { instant, optional, text, wholeNumber } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { assignableUsers } from '../issuables/assignable-users.js';
import { chosenMilestone } from '../issuables/chosen-milestone.js';
import type { IssuableChange } from '../issuables/issuable-changes.js';
import { issueType } from '../issuables/issuable-type.js';
import { setAssignees, setLabels } from '../issuables/set-people-and-labels.js';
import { findIssue } from './issue.finder.js';
import { projectIssuePolicy } from './issue.policy.js';
import type { IssueRecord } from './issue.entity.js';
import { updateOpenIssueCounts } from './open-issues-count.js';
import { setEpic } from './set-epic.js';
import { changedLabels } from '../issuables/change-labels.js';
import { readAssigneeIds, issueParams, requireIssueValues } from '../issuables/issue-values.js';
import { insertIssue } from './insert-issue.js';
import { noteUserAgent } from './user-agent-detail.js';
import { textOfNewIssue } from './issue-spam.js';
import { againstSpam } from '../../tenancy/spam/against-spam.js';

const newIssueParams = {
  title: text()
    .describe('Title of the issue, of at most 255 characters.')
    .meta({ examples: ['Engine does not start'] }),
  ...issueParams,
  iid: optional(wholeNumber(1)).describe(
    'Internal ID of the issue in its project; for Owners, others get the next one.',
  ),
  created_at: optional(instant()).describe(
    'Timestamp of when the issue was created; for Owners, for others it is the current time.',
  ),
};
type Input = z.output<z.ZodObject<typeof newIssueParams>>;

/** Fields that only some callers can set; values from other callers are ignored, as in the public API. */
async function metadataFor(ctx: SignedInContext, found: ProjectRecord, input: Input) {
  if (!projectIssuePolicy.set_new_issue_metadata(ctx.caller, found)) return null;
  const premium = ctx.hasPlan('premium');
  const milestone = await chosenMilestone(ctx, found, input.milestone_id ?? 0);
  const assignees = await assignableUsers(ctx, found, readAssigneeIds(input) ?? [], found.issues_access_level);
  const labels = await changedLabels(ctx, found, [], { labels: input.labels });
  return {
    milestone,
    assignees,
    labels,
    columns: {
      milestone_id: milestone?.id ?? null,
      start_date: input.start_date ?? null,
      due_date: input.due_date ?? null,
      discussion_locked: input.discussion_locked ?? null,
      weight: premium ? (input.weight ?? null) : null,
      severity: input.issue_type === 'incident' ? (input.severity ?? 'unknown') : 'unknown',
    },
  };
}

type Metadata = NonNullable<Awaited<ReturnType<typeof metadataFor>>>;

/** Initial values, other than title and description, that events report. */
function firstChanges({ milestone, columns }: Metadata): IssuableChange[] {
  const changes: IssuableChange[] = [];
  if (milestone) changes.push({ attribute: 'milestone', from: null, to: milestone });
  if (columns.weight !== null) changes.push({ attribute: 'weight', from: null, to: columns.weight });
  if (columns.start_date !== null) changes.push({ attribute: 'start_date', from: null, to: columns.start_date });
  if (columns.due_date !== null) changes.push({ attribute: 'due_date', from: null, to: columns.due_date });
  return changes;
}

async function create(ctx: SignedInContext, found: ProjectRecord, input: Input): Promise<IssueRecord> {
  requireIssueValues(input);
  const may = projectIssuePolicy.set_issue_origin(ctx.caller, found);
  const metadata = await metadataFor(ctx, found, input);
  const created_at = (may && input.created_at) || ctx.clock.now();
  const { id, iid } = await insertIssue(
    ctx,
    found.id,
    {
      title: input.title.trim(),
      description: input.description ?? null,
      confidential: input.confidential ?? false,
      issue_type: input.issue_type ?? 'issue',
      ...metadata?.columns,
      created_at,
      updated_at: created_at,
    },
    may ? input.iid : undefined,
  );
  const ref = { id, project_id: found.id };
  const changes = metadata ? firstChanges(metadata) : [];
  if (metadata) {
    changes.push(...(await setLabels(ctx, issueType, ref, { before: [], after: metadata.labels })));
    changes.push(...(await setAssignees(ctx, issueType, ref, { before: [], after: metadata.assignees })));
  }
  await noteUserAgent(ctx, ref);
  const issue = await findIssue(ctx, found, iid);
  if (metadata) await setEpic(ctx, issue, input.epic_id);
  await updateOpenIssueCounts(ctx, [], [issue]);
  ctx.record({ type: 'issue.created', issue, project: found, changes });
  return issue;
}

/** Create an issue: Guests, and everybody signed in where issues are open to all (core-resources.md section 6). */
export const createIssue = operation({
  name: 'createIssue',
  summary: 'Create an issue',
  resource: project,
  can: can(projectIssuePolicy, 'create_issue'),
  kind: 'write',
  limit: 'issues_create',
  precheck: againstSpam(textOfNewIssue),
  statements: 37,
  params: newIssueParams,
  run: create,
});
