import { can, operation } from '../../core/operations/operation.js';
import { participantsIn } from '../../planning/issuables/participants.js';
import { subscriptionOperations } from '../../planning/issuables/subscription-operations.js';
import { timeOperations } from '../../planning/issuables/time-operations.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import type { Context } from '../../core/context/context.js';
import { awardOperations } from '../../planning/award-emoji/award-emoji.operations.js';
import { findMergeRequest, mergeRequest } from './merge-request.finder.js';
import { mergeRequestSubscriptions, reviewersOfMergeRequests } from './merge-request.loads.js';
import type { Reviewer } from './merge-request.loads.js';
import { mergeRequestPolicy } from './merge-request.policy.js';
import type { MergeRequestRecord } from './merge-request.entity.js';
import { onMergeRequests } from './visible-merge-requests.js';
import { writeMergeRequestChange } from './write-merge-request-change.js';

const kind = {
  type: mergeRequestType,
  noun: 'MergeRequest',
  nounPhrase: 'a merge request',
  resource: mergeRequest,
} as const;

/** How long merge requests take: Reporters and above say so. */
export const mergeRequestTimeOperations = timeOperations<MergeRequestRecord>({
  ...kind,
  read: can(mergeRequestPolicy, 'read_merge_request'),
  write: can(mergeRequestPolicy, 'set_merge_request_metadata'),
  save: writeMergeRequestChange,
});

/** Subscribing to a merge request and unsubscribing from it. */
export const mergeRequestSubscriptionOperations = subscriptionOperations<MergeRequestRecord>({
  ...kind,
  can: can(mergeRequestPolicy, 'subscribe_merge_request'),
  subscriptions: mergeRequestSubscriptions,
  again: (ctx, found) => findMergeRequest(ctx, found.project, found.iid),
});

/** Who took part in a merge request: also those who review it. */
export const participantsOfMergeRequest = (ctx: Context, found: MergeRequestRecord) =>
  participantsIn(ctx, mergeRequestType, found, found.project.merge_requests_access_level, [
    onMergeRequests
      .selectFrom('merge_request_reviewers as x')
      .select('x.user_id')
      .where('x.merge_request_id', '=', found.id),
  ]);

const read = {
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  authentication: 'open',
  kind: 'read',
} as const;

/** List who took part in a merge request. */
export const listMergeRequestParticipants = operation({
  name: 'listMergeRequestParticipants',
  summary: 'List the participants of a merge request',
  ...read,
  run: (ctx, found) => Promise.resolve(participantsOfMergeRequest(ctx, found)),
});

/** List the reviewers of a merge request with their review states. */
export const listMergeRequestReviewers = operation({
  name: 'listMergeRequestReviewers',
  summary: 'List the reviewers of a merge request',
  ...read,
  async run(ctx, found): Promise<Reviewer[]> {
    await reviewersOfMergeRequests.fill(ctx, [found]);
    return reviewersOfMergeRequests.of(found, ctx) ?? [];
  },
});

/** Emoji on merge requests. */
export const mergeRequestAwardOperations = awardOperations<MergeRequestRecord>({
  nounPhrase: 'a merge request',
  noun: 'MergeRequest',
  tables: mergeRequestType.tables,
  resource: mergeRequest,
  reads: mergeRequestPolicy.read_merge_request,
});
