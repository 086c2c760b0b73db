import type { WorkerDomain } from '../core/handler.js';
import {
  closeIssuesOfMerge,
  noteIssuesOf,
} from '../../shared/merge-requests/merge-request-edits/close-merged-issues.js';
import {
  closeMergedIssues,
  noteMergeRequestIssues,
  countFilesOfVersions,
  refreshMergeRequests,
  checkMergeability,
  finishMerge,
  mergeWhenReady,
  rebaseMergeRequest,
  removeSourceBranches,
} from '../../shared/merge-requests/merge-requests.jobs.js';
import { handler } from '../core/handler.js';
import { countFilesOfVersion } from '../../shared/merge-requests/merge-request-versions/count-files.js';
import { refreshBranch } from '../../shared/merge-requests/merge-request-versions/refresh-branch.js';
import { mergeWhenPipelineSucceeded } from '../../shared/merge-requests/merging/auto-merge.js';
import { checkMergeRequests } from '../../shared/merge-requests/merging/check-mergeability.js';
import { finishLeftMerge } from '../../shared/merge-requests/merging/finish-merge.js';
import { rebaseSource } from '../../shared/merge-requests/merging/rebase-request.js';
import { removeSourceBranch } from '../../shared/merge-requests/merging/remove-source-branch.js';

/** Closes what merge requests close that were merged. */
const closingOfMergedIssues = handler({ kind: closeMergedIssues, batchSize: 10, handle: closeIssuesOfMerge });

/** Looks through long descriptions and pushed commits for issues. */
const noteOfMergeRequestIssues = handler({ kind: noteMergeRequestIssues, batchSize: 10, handle: noteIssuesOf });

/** What follows merge requests until they are merged. */
const mergingHandlers = [
  handler({ kind: checkMergeability, batchSize: 10, handle: checkMergeRequests }),
  handler({
    kind: mergeWhenReady,
    batchSize: 10,
    handle: (ctx, { merge_request_id: id }) => mergeWhenPipelineSucceeded(ctx, id),
  }),
  handler({ kind: finishMerge, batchSize: 10, handle: finishLeftMerge }),
  handler({ kind: removeSourceBranches, batchSize: 10, handle: removeSourceBranch }),
  handler({ kind: rebaseMergeRequest, batchSize: 2, handle: rebaseSource }),
];

/** Follows branches that moved in their merge requests, and counts what those change. */
const refreshHandlers = [
  handler({ kind: refreshMergeRequests, batchSize: 10, handle: refreshBranch }),
  handler({ kind: countFilesOfVersions, batchSize: 4, handle: countFilesOfVersion }),
];

export const mergeRequestsWorkers: WorkerDomain = {
  handlers: [closingOfMergedIssues, noteOfMergeRequestIssues, ...refreshHandlers, ...mergingHandlers],
};
