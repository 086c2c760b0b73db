import { subscriber, subscriberToAll } from '../core/context/subscribers.js';
import type { RecordedEvent } from '../core/context/context.js';
import type { IssuableChange } from '../planning/issuables/issuable-changes.js';
import { mergeRequestType } from '../planning/issuables/issuable-type.js';
import { insertResourceEvents } from '../planning/issues/record-resource-events.js';
import type { RecordedChange } from '../planning/issues/record-resource-events.js';
import { closeIssuesOfMerges, syncMentionedIssues } from './merge-request-edits/sync-mentioned-issues.js';
import { resetApprovalsOfPushed } from './approvals/approval.operations.js';
import { syncMergeRequests } from './merge-request-versions/sync-merge-requests.js';
import { dropAutoMerge, retryApprovedMerges, mergeAfterPipelines } from './merging/auto-merge.js';
import { finishInterruptedMerges } from './merging/finish-merge.js';
import { recheckMergeability } from './merging/recheck-mergeability.js';
import type { MergeRequestChange } from './merge-requests.events.js';

type RecordedMergeRequestEvent = RecordedEvent<
  'merge_request.created' | 'merge_request.changed' | 'merge_request.merged'
>;

const RECORDED: ReadonlySet<string> = new Set(['state', 'labels', 'milestone']);

const isRecorded = (change: MergeRequestChange): change is IssuableChange => RECORDED.has(change.attribute);

/** Keeps what changed about merge requests as events, as of issues. */
const recordMergeRequestEvents = (recorded: readonly RecordedMergeRequestEvent[]): Promise<void> =>
  insertResourceEvents(
    mergeRequestType,
    recorded.flatMap(({ ctx, event }) => {
      const record = event.merge_request;
      const changes: readonly IssuableChange[] =
        event.type === 'merge_request.merged'
          ? [{ attribute: 'state', to: 'merged' }]
          : event.changes.filter(isRecorded);
      return changes.map((change): RecordedChange => ({ ctx, record, change }));
    }),
  );

/** What follows from what happened here and below, in this order. */
export const mergeRequestsSubscribers = [
  subscriber('merge requests of branches', ['refs.updated'], syncMergeRequests),
  subscriberToAll(
    'resource events of merge requests',
    ['merge_request.created', 'merge_request.changed', 'merge_request.merged'],
    recordMergeRequestEvents,
  ),
  subscriber<'merge_request.created' | 'merge_request.changed' | 'merge_request.pushed'>(
    'issues of merge requests',
    ['merge_request.created', 'merge_request.changed', 'merge_request.pushed'],
    syncMentionedIssues,
  ),
  subscriber('issues of merged merge requests', ['merge_request.merged'], closeIssuesOfMerges),
  subscriber('mergeability', ['merge_requests.unchecked', 'merge_request.changed'], recheckMergeability),
  subscriber('automatic merges of what changed', ['merge_request.pushed', 'merge_request.changed'], dropAutoMerge),
  subscriber('approvals of what changed', ['merge_request.pushed'], resetApprovalsOfPushed),
  subscriber('automatic merges of what was approved', ['merge_request.approved'], retryApprovedMerges),
  subscriber('automatic merges', ['pipeline.finished'], mergeAfterPipelines),
  subscriber('merges that were cut off', ['repository.move_left'], finishInterruptedMerges),
];
