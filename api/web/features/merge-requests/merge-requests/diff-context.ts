import type { Noteable } from '../../notes/discussions/index.js';
import type { MergeRequestDetails } from './queries.js';

/** Of which merge request a diff is, and between which commits. */
export interface DiffContext {
  of: Noteable;
  noteableId: string;
  refs: MergeRequestDetails['diff_refs'];
  request: MergeRequestDetails;
}
