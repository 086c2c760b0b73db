import { subscriber, subscriberToAll } from '../core/context/subscribers.js';
import { recordMergeRequestEvents } from './merge-requests/record-merge-request-events.js';
import { followMerges, followWords } from './merge-request-edits/follow-words.js';
import { resetApprovalsOfPushed } from './approvals/approval.operations.js';
import { followBranches } from './merge-request-versions/follow-branches.js';
import { dropAutoMerge, followApprovals, followPipelines } from './merging/auto-merge.js';
import { followLeftMoves } from './merging/finish-merge.js';
import { followUnchecked } from './merging/follow-unchecked.js';

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
  subscriber('mergeability', ['merge_requests.unchecked', 'merge_request.changed'], followUnchecked),
  subscriber('automatic merges of what changed', ['merge_request.pushed', 'merge_request.changed'], dropAutoMerge),
  subscriber('approvals of what changed', ['merge_request.pushed'], resetApprovalsOfPushed),
  subscriber('automatic merges of what was approved', ['merge_request.approved'], followApprovals),
  subscriber('automatic merges', ['pipeline.finished'], followPipelines),
  subscriber('merges that were cut off', ['repository.move_left'], followLeftMoves),
];
