import { mergeWhenPipelineSucceeded } from '../../../shared/merge-requests/merging/auto-merge.js';
import { checkMergeRequests } from '../../../shared/merge-requests/merging/check-mergeability.js';
import { finishLeftMerge } from '../../../shared/merge-requests/merging/finish-merge.js';
import {
  checkMergeability,
  finishMerge,
  mergeWhenReady,
  rebaseMergeRequest,
  removeSourceBranches,
} from '../../../shared/merge-requests/merge-requests.jobs.js';
import { rebaseSource } from '../../../shared/merge-requests/merging/rebase-request.js';
import { removeSourceBranch } from '../../../shared/merge-requests/merging/remove-source-branch.js';
import { handler } from '../../core/handler.js';

/** What follows merge requests until they are merged. */
export const mergingHandlers = [
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
