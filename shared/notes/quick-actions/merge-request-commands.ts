import { approveMergeRequest, unapproveMergeRequest } from '../../merge-requests/approvals/approval.operations.js';
import {
  mergeRequestAwardOperations,
  mergeRequestSubscriptionOperations,
  mergeRequestTimeOperations,
} from '../../merge-requests/merge-requests/merge-request-tracking.operations.js';
import { headPipelineStatus, isWaitedFor } from '../../merge-requests/merging/head-pipeline.js';
import { mergeMergeRequest } from '../../merge-requests/merging/merge.operations.js';
import { rebaseMergeRequestOperation } from '../../merge-requests/merging/rebase.operations.js';
import { isDraftTitle } from '../../merge-requests/merge-request-edits/merge-request-values.js';
import type { MergeRequestRecord } from '../../merge-requests/merge-requests/merge-request.entity.js';
import { invoke } from '../../core/operations/invoke.js';
import { updateMergeRequest } from '../../merge-requests/merge-request-edits/update-merge-request.js';
import { findMergeRequest } from '../../merge-requests/merge-requests/merge-request.finder.js';
import {
  assigneesOfMergeRequests,
  reviewersOfMergeRequests,
} from '../../merge-requests/merge-requests/merge-request.loads.js';
import { mergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import { BadCommand, usersIn } from './command-arguments.js';
import { runOn } from './draft.js';
import { commonCommands, mentions, plannedCommands } from './edit-commands.js';
import type { DraftCommand } from './edit-commands.js';
import { awardCommands, subscriptionCommands, timeCommands } from './tracking-commands.js';
import type { DraftKind } from './draft.js';

type MergeRequestCommand = DraftCommand<MergeRequestRecord>;

const DRAFT_PREFIX = /^\s*(?:draft:|\[draft\]|\(draft\))\s*/i;

/** The title holds the draft state: marking as draft adds a missing prefix, marking as ready removes all of them. */
const setDraft =
  (isDraft: boolean): MergeRequestCommand =>
  (draft) => {
    if (isDraftTitle(draft.title) === isDraft) throw new BadCommand('');
    let { title } = draft;
    if (isDraft) title = `Draft: ${title}`;
    else while (DRAFT_PREFIX.test(title)) title = title.replace(DRAFT_PREFIX, '');
    draft.edit({ title });
    return `Marked this merge request as ${isDraft ? 'a draft' : 'ready'}.`;
  };

const addReviewers: MergeRequestCommand = async (draft, argument) => {
  const users = await usersIn(draft.ctx, argument);
  draft.edit({ reviewer_ids: [...new Set([...(await draft.reviewers()), ...users.map(({ id }) => id)])] });
  return `Requested a review from ${mentions(users)}.`;
};

const removeReviewers: MergeRequestCommand = async (draft, argument) => {
  const users = argument === '' ? null : await usersIn(draft.ctx, argument);
  const gone = users?.map(({ id }) => id);
  draft.edit({ reviewer_ids: gone ? (await draft.reviewers()).filter((id) => !gone.includes(id)) : [] });
  return users ? `Removed review request for ${mentions(users)}.` : 'Removed all review requests.';
};

/** Merges the head that the comment is about: once its pipeline succeeds where that runs, else now. */
const merge: MergeRequestCommand = async (draft) => {
  await draft.write();
  const later = isWaitedFor(await headPipelineStatus(draft.ctx, draft.record));
  await runOn(draft, mergeMergeRequest, {
    sha: draft.expectedSha ?? draft.record.head_sha ?? '',
    ...(later ? { auto_merge: true } : {}),
  });
  draft.changes.merge = draft.record.head_sha;
  return later ? 'Scheduled to merge this merge request once its pipeline succeeds.' : 'Merged this merge request.';
};

/** What lines of a comment can do to a merge request. */
export const mergeRequestCommands: Readonly<Record<string, MergeRequestCommand>> = {
  ...commonCommands,
  ...plannedCommands,
  ...timeCommands(mergeRequestTimeOperations as never),
  ...subscriptionCommands(mergeRequestSubscriptionOperations.set as never),
  ...awardCommands(mergeRequestAwardOperations.award as never),
  draft: setDraft(true),
  ready: setDraft(false),
  assign_reviewer: addReviewers,
  request_review: addReviewers,
  unassign_reviewer: removeReviewers,
  remove_reviewer: removeReviewers,
  target_branch(draft, argument) {
    if (argument === '') throw new BadCommand('No branch was named.');
    draft.edit({ target_branch: argument });
    return `Set target branch to ${argument}.`;
  },
  merge,
  async rebase(draft) {
    await runOn(draft, rebaseMergeRequestOperation, {});
    return `Scheduled a rebase of branch ${draft.record.source_branch}.`;
  },
  async approve(draft) {
    await runOn(draft, approveMergeRequest, {});
    return 'Approved the current merge request.';
  },
  async unapprove(draft) {
    await runOn(draft, unapproveMergeRequest, {});
    return 'Unapproved the current merge request.';
  },
};

/** Fields that callers with update permission can edit; all others require permission to set metadata. */
const EDITS: ReadonlySet<string> = new Set(['title', 'state_event', 'discussion_locked', 'target_branch']);

export const mergeRequestDrafts: DraftKind<MergeRequestRecord> = {
  called: 'merge request',
  containerOf: ({ project }) => project,
  mayEdit: ({ caller }, request, names) =>
    mergeRequestPolicy.update_merge_request(caller, request) &&
    (names.every((name) => EDITS.has(name)) || mergeRequestPolicy.set_merge_request_metadata(caller, request)),
  async assignees(ctx, request) {
    await assigneesOfMergeRequests.fill(ctx, [request]);
    return (assigneesOfMergeRequests.of(request, ctx) ?? []).map(({ id }) => id);
  },
  async reviewers(ctx, request) {
    await reviewersOfMergeRequests.fill(ctx, [request]);
    return (reviewersOfMergeRequests.of(request, ctx) ?? []).map(({ user }) => user.id);
  },
  update: (ctx, request, edits) => invoke(ctx, updateMergeRequest, { ...edits }, () => Promise.resolve(request)),
  again: (ctx, request) => findMergeRequest(ctx, request.project, request.iid),
};
