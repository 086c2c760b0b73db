import type { RecordedEvent } from '../../core/context/context.js';
import type { IssuableChange } from '../../planning/issuables/issuable-changes.js';
import { mergeRequestType } from '../../planning/issuables/issuable-type.js';
import { insertResourceEvents } from '../../planning/issues/record-resource-events.js';
import type { RecordedChange } from '../../planning/issues/record-resource-events.js';
import type { MergeRequestChange } from '../merge-requests.events.js';

type Told = RecordedEvent<'merge_request.created' | 'merge_request.changed' | 'merge_request.merged'>;

const KEPT: ReadonlySet<string> = new Set(['state', 'labels', 'milestone']);

const isKept = (change: MergeRequestChange): change is IssuableChange => KEPT.has(change.attribute);

/** Keeps what changed about merge requests as events, as of issues. */
export const recordMergeRequestEvents = (recorded: readonly Told[]): Promise<void> =>
  insertResourceEvents(
    mergeRequestType,
    recorded.flatMap(({ ctx, event }) => {
      const record = event.merge_request;
      const changes: readonly IssuableChange[] =
        event.type === 'merge_request.merged' ? [{ attribute: 'state', to: 'merged' }] : event.changes.filter(isKept);
      return changes.map((change): RecordedChange => ({ ctx, record, change }));
    }),
  );
