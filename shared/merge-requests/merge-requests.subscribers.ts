import { subscriber, subscriberToAll } from '../core/subscribers.js';
import { recordMergeRequestEvents } from './merge-request-events/record-merge-request-events.js';
import { followMerges, followWords } from './merge-request-issues/follow-words.js';
import { followBranches } from './merge-request-versions/follow-branches.js';

/** What follows from what happened here and below, in this order. */
export const mergeRequestsSubscribers = [
  subscriber('merge requests of branches', ['refs.updated'], followBranches),
  subscriberToAll(
    'resource events of merge requests',
    ['merge_request.created', 'merge_request.changed', 'merge_request.merged'],
    recordMergeRequestEvents,
  ),
  subscriber<'merge_request.created' | 'merge_request.changed' | 'merge_request.pushed'>(
    'issues of merge requests',
    ['merge_request.created', 'merge_request.changed', 'merge_request.pushed'],
    followWords,
  ),
  subscriber('issues of merged merge requests', ['merge_request.merged'], followMerges),
];
