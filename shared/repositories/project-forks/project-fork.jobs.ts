import { queueJob } from '../../core/context/jobs.js';
import type { TransferKind } from '../repositories/repository-transfer.jobs.js';

const category = 'source_code_management';

interface ForkJob {
  project_id: number;
  source_id: number;
  /** The one branch to bring; all of them when left out. */
  branch?: string;
}

/** Gives up on a fork whose repository could not be brought in by any try. */
export const failForks = queueJob<ForkJob>('project_forks.fail', { category });

/** Brings the repository of a new fork in. A large one takes minutes. */
export const importForks = queueJob<ForkJob>('project_forks.import', {
  category,
  expireInSeconds: 3600,
  retryLimit: 5,
  deadLetter: failForks.name,
});

/** Asked for so that they take their turn. */
export const forkTransfers: TransferKind<ForkJob> = { job: importForks, user: 'creator' };
