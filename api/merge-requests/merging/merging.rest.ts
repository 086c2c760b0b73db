import {
  cancelAutoMergeOfRequest,
  mergeMergeRequest,
} from '../../../shared/merge-requests/merging/merge.operations.js';
import { getMergeRef, mergeRefShape } from '../../../shared/merge-requests/merging/merge-ref.operations.js';
import { rebaseBegun, rebaseMergeRequestOperation } from '../../../shared/merge-requests/merging/rebase.operations.js';
import { mergeRequestDetails } from '../../../shared/merge-requests/merge-requests/merge-request.shape.js';
import { get, post, put, routes } from '../../core/routes.js';

export default routes('/projects/:id/merge_requests/:merge_request_iid', [
  put('/merge', mergeMergeRequest, { present: mergeRequestDetails }),
  post('/cancel_merge_when_pipeline_succeeds', cancelAutoMergeOfRequest, { present: mergeRequestDetails, status: 201 }),
  get('/merge_ref', getMergeRef, { present: mergeRefShape }),
  put('/rebase', rebaseMergeRequestOperation, { present: rebaseBegun, status: 202 }),
]);
