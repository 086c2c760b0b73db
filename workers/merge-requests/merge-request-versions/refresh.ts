import { countFilesOfVersion } from '../../../shared/merge-requests/merge-request-versions/count-files.js';
import { countFilesOfVersions, refreshMergeRequests } from '../../../shared/merge-requests/merge-requests.jobs.js';
import { refreshBranch } from '../../../shared/merge-requests/merge-request-versions/refresh-branch.js';
import { handler } from '../../core/handler.js';

/** Follows branches that moved in their merge requests, and counts what those change. */
export const refreshHandlers = [
  handler({ kind: refreshMergeRequests, batchSize: 10, handle: refreshBranch }),
  handler({ kind: countFilesOfVersions, batchSize: 4, handle: countFilesOfVersion }),
];
