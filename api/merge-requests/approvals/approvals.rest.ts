import {
  approveMergeRequest,
  getMergeRequestApprovals,
  resetMergeRequestApprovals,
  unapproveMergeRequest,
} from '../../../shared/merge-requests/approvals/approval.operations.js';
import { mergeRequestApprovals } from '../../../shared/merge-requests/approvals/approval.shape.js';
import {
  getMergeRequestApprovalRule,
  getMergeRequestApprovalState,
  getProjectApprovalRule,
  getProjectApprovals,
  listMergeRequestApprovalRules,
  listProjectApprovalRules,
} from '../../../shared/merge-requests/approvals/approval-rule.operations.js';
import {
  approvalState,
  mergeRequestApprovalRule,
  projectApprovalRule,
  projectApprovals,
} from '../../../shared/merge-requests/approvals/approval-rule.shape.js';
import { get, post, put, routes } from '../../core/routes.js';

const ofProjects = routes('/projects/:id', [
  get('/approvals', getProjectApprovals, { present: projectApprovals }),
  get('/approval_rules', listProjectApprovalRules, { present: projectApprovalRule, paginate: 'offset' }),
  get('/approval_rules/:approval_rule_id', getProjectApprovalRule, { present: projectApprovalRule }),
]);

const ofMergeRequests = routes('/projects/:id/merge_requests/:merge_request_iid', [
  get('/approvals', getMergeRequestApprovals, { present: mergeRequestApprovals }),
  get('/approval_state', getMergeRequestApprovalState, { present: approvalState }),
  get('/approval_rules', listMergeRequestApprovalRules, { present: mergeRequestApprovalRule, paginate: 'offset' }),
  get('/approval_rules/:approval_rule_id', getMergeRequestApprovalRule, { present: mergeRequestApprovalRule }),
  post('/approve', approveMergeRequest, { present: mergeRequestApprovals, status: 201 }),
  post('/unapprove', unapproveMergeRequest, { present: mergeRequestApprovals, status: 201 }),
  put('/reset_approvals', resetMergeRequestApprovals, {
    status: 202,
    schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  }),
]);

export default [...ofProjects, ...ofMergeRequests];
