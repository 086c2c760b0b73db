import { refreshMergeRequests } from '../../../shared/merge-requests/merge-request-versions/merge-request-version.jobs.js';
import { refreshBranch } from '../../../shared/merge-requests/merge-request-versions/refresh-branch.js';
import { handler } from '../../core/handler.js';

/** Follows branches that moved in their merge requests. */
export const refreshOfMergeRequests = handler({ kind: refreshMergeRequests, batchSize: 10, handle: refreshBranch });
