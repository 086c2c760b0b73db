import { can } from '../../core/operations/operation.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import { findResourceEvents } from '../../planning/issues/resource-event.finder.js';
import { eventOperations } from '../../planning/issues/resource-event.operations.js';
import { mergeRequest } from './merge-request.finder.js';
import { mergeRequestPolicy } from './merge-request.policy.js';
import {
  MergeRequestLabelEvent,
  MergeRequestMilestoneEvent,
  MergeRequestStateEvent,
} from './merge-request-event.entity.js';

const events = findResourceEvents(mergeRequestType, {
  state: MergeRequestStateEvent,
  label: MergeRequestLabelEvent,
  milestone: MergeRequestMilestoneEvent,
});

const ofMergeRequests = {
  noun: 'MergeRequest',
  nounPhrase: 'a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
};

/** Changes to a merge request, with their time and author. */
export const mergeRequestEventOperations = {
  state: eventOperations(ofMergeRequests, events.state),
  label: eventOperations(ofMergeRequests, events.label),
  milestone: eventOperations(ofMergeRequests, events.milestone),
};
