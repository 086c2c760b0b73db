import { invoke } from '../../core/operations/invoke.js';
import { updateMergeRequest } from '../../merge-requests/merge-request-edits/update-merge-request.js';
import { findMergeRequest } from '../../merge-requests/merge-requests/merge-request.finder.js';
import {
  assigneesOfMergeRequests,
  reviewersOfMergeRequests,
} from '../../merge-requests/merge-requests/merge-request.loads.js';
import { mergeRequestPolicy } from '../../merge-requests/merge-requests/merge-request.policy.js';
import type { MergeRequestRecord } from '../../merge-requests/merge-requests/merge-request.record.js';
import type { DraftKind } from './draft.js';

/** What whoever may edit it edits; all else takes the right to plan it. */
const EDITS: ReadonlySet<string> = new Set(['title', 'state_event', 'discussion_locked', 'target_branch']);

export const mergeRequestDrafts: DraftKind<MergeRequestRecord> = {
  called: 'merge request',
  placeOf: ({ project }) => project,
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
