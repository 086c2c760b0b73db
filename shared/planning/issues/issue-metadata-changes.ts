import type { SignedInContext } from '../../core/context/context.js';
import { requireOpenEpic, setEpic } from './set-epic.js';
import type { LabelInput } from '../issuables/change-labels.js';
import { editIssuableMetadata } from '../issuables/edit-metadata.js';
import type { EditedType } from '../issuables/edit-metadata.js';
import { issueType } from '../issuables/issuable-type.js';
import { assigneesOfIssues, labelsOfIssues } from './issue.loads.js';
import type { IssueRecord } from './issue.entity.js';
import type { Edit } from './issue-text-changes.js';
import { readAssigneeIds } from '../issuables/issue-values.js';

interface IssueMetadataInput extends LabelInput {
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

const edited: EditedType<IssueRecord> = {
  type: issueType,
  labels: labelsOfIssues,
  assignees: assigneesOfIssues,
  level: (project) => project.issues_access_level,
};

/** Values in columns of their own. */
function editColumns(
  ctx: SignedInContext,
  issue: IssueRecord,
  input: IssueMetadataInput,
  { columns, changes }: Edit,
): void {
  for (const attribute of ['confidential', 'discussion_locked'] as const) {
    const to = input[attribute];
    if (to === undefined || to === (issue[attribute] ?? false)) continue;
    columns[attribute] = to;
    changes.push({ attribute, to });
  }
  for (const attribute of ['start_date', 'due_date'] as const) {
    const to = input[attribute];
    const from = issue[attribute] ?? null;
    if (to === undefined || to === from) continue;
    columns[attribute] = to;
    changes.push({ attribute, from, to });
  }
  const weight = ctx.hasPlan('premium') ? input.weight : undefined;
  if (weight !== undefined && weight !== (issue.weight ?? null)) {
    columns.weight = weight;
    changes.push({ attribute: 'weight', from: issue.weight ?? null, to: weight });
  }
  const isIncident = (input.issue_type ?? issue.issue_type) === 'incident';
  if (isIncident && input.severity !== undefined && input.severity !== issue.severity) {
    columns.severity = input.severity;
    changes.push({ attribute: 'severity', from: issue.severity, to: input.severity });
  }
}

/**
 * What only Planners and above set: labels, assignees, milestone, dates and the like.
 * @throws Invalid; NotFound, Forbidden for an epic
 */
export async function editMetadata(
  ctx: SignedInContext,
  issue: IssueRecord,
  input: IssueMetadataInput,
  edit: Edit,
): Promise<void> {
  await setEpic(ctx, { ...issue, confidential: input.confidential ?? issue.confidential }, input.epic_id);
  if (input.confidential === false) await requireOpenEpic(ctx, issue);
  editColumns(ctx, issue, input, edit);
  await editIssuableMetadata(ctx, edited, issue, { ...input, assignee_ids: readAssigneeIds(input) }, edit);
}
