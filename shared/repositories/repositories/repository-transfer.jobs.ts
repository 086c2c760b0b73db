import { queueJob } from '../../core/context/jobs.js';
import type { JobKind } from '../../core/context/jobs.js';

/** What transfers are told at least. */
export interface TransferJob {
  project_id: number;
}

/** A kind of job that moves a whole repository, and whose turn it takes. */
export interface TransferKind<P extends TransferJob = TransferJob> {
  job: JobKind<P>;
  user: 'creator' | 'mirror_user';
}

/**
 * Calls the transfers whose turn it is. Sent with each that is asked for and each that ended, and each minute, should a
 * job be lost that would have sent it.
 */
export const callTransfers = queueJob<Record<string, never>>('repository_transfers.call', {
  category: 'importers',
  everySeconds: 60,
});
