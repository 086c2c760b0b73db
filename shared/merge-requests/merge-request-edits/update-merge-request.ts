import type { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { boolean, oneOf, optional, presentText, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { getAtLeastOne } from '../../core/operations/params.js';
import {
  readAssigneeIds,
  optionalParam,
  labelTitles,
  requireIssueValues,
} from '../../planning/issuables/issue-values.js';
import { assignableUsers } from '../../planning/issuables/assignable-users.js';
import { editIssuableMetadata } from '../../planning/issuables/edit-metadata.js';
import type { EditedType } from '../../planning/issuables/edit-metadata.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import { countTasks } from '../../planning/issuables/task-lists.js';
import { refreshVersion } from '../merge-request-versions/refresh-version.js';
import { findMergeRequest, mergeRequest } from '../merge-requests/merge-request.finder.js';
import {
  assigneesOfMergeRequests,
  labelsOfMergeRequests,
  reviewersOfMergeRequests,
} from '../merge-requests/merge-request.loads.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { writeMergeRequestChange } from '../merge-requests/write-merge-request-change.js';
import type { MergeRequestColumns } from '../merge-requests/write-merge-request-change.js';
import type { MergeRequestChange } from '../merge-requests.events.js';
import { requireAlone, requireBranches } from './branch-problems.js';
import { isDraftTitle, mergeRequestParams } from './merge-request-values.js';
import { setReviewers } from './set-reviewers.js';

const editParams = {
  title: optionalParam(text()).describe(
    'Title of the merge request, of at most 255 characters; `Draft: …` if the merge request is not ready.',
  ),
  target_branch: optional(presentText()).describe('Name of the target branch.'),
  ...mergeRequestParams,
  add_labels: labelTitles().describe('Titles of labels to add to the merge request.'),
  remove_labels: labelTitles().describe('Titles of labels to remove from the merge request.'),
  state_event: optional(oneOf(['close', 'reopen'])).describe('Event that closes or reopens the merge request.'),
  discussion_locked: optional(boolean()).describe('If `true`, only members can comment.'),
};
type Input = z.output<z.ZodObject<typeof editParams>>;

interface Edit {
  readonly columns: MergeRequestColumns & { milestone_id?: number | null };
  readonly changes: MergeRequestChange[];
}

const edited: EditedType<MergeRequestRecord> = {
  type: mergeRequestType,
  labels: labelsOfMergeRequests,
  assignees: assigneesOfMergeRequests,
  level: (project) => project.merge_requests_access_level,
};

function editText(ctx: SignedInContext, found: MergeRequestRecord, input: Input, { columns, changes }: Edit): void {
  const title = input.title?.trim();
  if (title !== undefined && title !== found.title) {
    const draft = isDraftTitle(title);
    Object.assign(columns, { title, draft });
    changes.push({ attribute: 'title', from: found.title, to: title });
    if (draft !== found.draft) changes.push({ attribute: 'draft', to: draft });
  }
  const described = input.description;
  if (described !== undefined && (described ?? '') !== (found.description ?? '')) {
    Object.assign(columns, { description: described, ...countTasks(described) });
    changes.push({ attribute: 'description' });
  }
  if (changes.length > 0) columns.last_edited_at = ctx.clock.now();
}

function editFlags(found: MergeRequestRecord, input: Input, { columns, changes }: Edit): void {
  const flags = {
    squash: input.squash,
    force_remove_source_branch: input.remove_source_branch ?? (input.remove_source_branch === null ? false : undefined),
    allow_collaboration: input.allow_collaboration ?? input.allow_maintainer_to_push,
    discussion_locked: input.discussion_locked,
  };
  for (const attribute of Object.keys(flags) as (keyof typeof flags)[]) {
    const to = flags[attribute];
    if (to === undefined || to === (found[attribute] ?? false)) continue;
    columns[attribute] = to;
    changes.push({ attribute, to });
  }
}

/** Closing records time and user; reopening clears both. A merged merge request stays merged. @throws Invalid */
async function editState(ctx: SignedInContext, found: MergeRequestRecord, input: Input, edit: Edit): Promise<void> {
  const { state_event: event } = input;
  const { columns, changes } = edit;
  if (event === 'close' && found.state === 'opened') {
    Object.assign(columns, {
      state: 'closed',
      closed_at: ctx.clock.now(),
      closed_by_id: ctx.caller.id,
      auto_merge_enabled: false,
    });
    changes.push({ attribute: 'state', to: 'closed' });
  }
  if (event === 'reopen' && found.state === 'closed') {
    await requireAlone(ctx, { ...found, ...columns });
    Object.assign(columns, { state: 'opened', closed_at: null, closed_by_id: null, merge_status: 'unchecked' });
    changes.push({ attribute: 'state', to: 'reopened' });
  }
}

/** @throws Invalid for a branch that is not there, or that another open one goes to */
async function editTarget(ctx: SignedInContext, found: MergeRequestRecord, input: Input, edit: Edit): Promise<void> {
  const to = input.target_branch;
  if (to === undefined || to === found.target_branch) return;
  if (found.state !== 'opened') throw new Invalid({ target_branch: ['cannot be changed unless it is open'] });
  await requireBranches(ctx, { ...found, target_branch: to });
  edit.columns.target_branch = to;
  edit.changes.push({ attribute: 'target_branch', from: found.target_branch, to });
}

async function editReviewers(ctx: SignedInContext, found: MergeRequestRecord, input: Input, edit: Edit): Promise<void> {
  if (input.reviewer_ids === undefined) return;
  await reviewersOfMergeRequests.fill(ctx, [found]);
  const before = (reviewersOfMergeRequests.of(found, ctx) ?? []).map(({ user }) => user);
  const level = found.project.merge_requests_access_level;
  const after = await assignableUsers(ctx, found.project, input.reviewer_ids, level);
  edit.changes.push(...(await setReviewers(ctx, found, { before, after })));
}

/** @throws Invalid */
async function update(ctx: SignedInContext, found: MergeRequestRecord, input: Input): Promise<MergeRequestRecord> {
  requireIssueValues(input);
  const edit: Edit = { columns: {}, changes: [] };
  editText(ctx, found, input, edit);
  editFlags(found, input, edit);
  await editTarget(ctx, found, input, edit);
  await editState(ctx, found, input, edit);
  // Values from other callers are ignored here, as in the public API.
  if (mergeRequestPolicy.set_merge_request_metadata(ctx.caller, found)) {
    const changes: Edit['changes'] = edit.changes;
    const metadata = { columns: edit.columns, changes: [] };
    await editIssuableMetadata(ctx, edited, found, { ...input, assignee_ids: readAssigneeIds(input) }, metadata);
    changes.push(...metadata.changes);
    await editReviewers(ctx, found, input, edit);
  }
  const request = await writeMergeRequestChange(ctx, found, edit.columns, edit.changes);
  const compares = edit.changes.some(({ attribute }) => attribute === 'target_branch' || attribute === 'state');
  if (!compares || !(await refreshVersion(ctx, request.id))) return request;
  return findMergeRequest(ctx, found.project, found.iid);
}

/** Edit a merge request: its author, Developers and above (core-resources.md section 7). */
export const updateMergeRequest = operation({
  name: 'updateMergeRequest',
  summary: 'Edit a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'update_merge_request'),
  kind: 'write',
  statements: 48,
  example: { state_event: 'close' },
  params: editParams,
  rules: [getAtLeastOne(...Object.keys(editParams))],
  run: update,
});
