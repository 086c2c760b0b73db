import { State } from '../ui/State.js';
import type { MergeRequestDetails } from './queries.js';

type Merging = Pick<MergeRequestDetails, 'state' | 'draft'>;

/** Where a merge request stands, in words. */
export function RequestState({ request: { state, draft } }: { request: Merging }) {
  if (state === 'merged') return <State tone="good">merged</State>;
  if (state === 'closed') return <State tone="quiet">closed</State>;
  if (state === 'locked') return <State tone="warn">being merged</State>;
  return draft ? <State tone="warn">draft</State> : <State tone="good">open</State>;
}
