import {
  approveMergeRequest,
  getMergeRequestApprovals,
  resetMergeRequestApprovals,
  unapproveMergeRequest,
} from '../../../shared/merge-requests/approvals/approval.operations.js';
import { mergeRequestApprovals } from '../../../shared/merge-requests/approvals/approval.shape.js';
import { get, post, put, routes } from '../../core/routes.js';

export default routes('/projects/:id/merge_requests/:merge_request_iid', [
  get('/approvals', getMergeRequestApprovals, { present: mergeRequestApprovals }),
  post('/approve', approveMergeRequest, { present: mergeRequestApprovals, status: 201 }),
  post('/unapprove', unapproveMergeRequest, { present: mergeRequestApprovals, status: 201 }),
  put('/reset_approvals', resetMergeRequestApprovals, {
    status: 202,
    schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  }),
]);
