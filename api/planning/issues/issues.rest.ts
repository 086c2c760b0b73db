import { createIssue } from '../../../shared/planning/issue-edits/create-issue.js';
import { getIssueUserAgent, userAgentDetail } from '../../../shared/planning/issue-edits/user-agent-detail.js';
import { listProjectIssues } from '../../../shared/planning/issue-lists/issue-lists.operations.js';
import { getIssue } from '../../../shared/planning/issues/issue.operations.js';
import { issueDetails, issueShape } from '../../../shared/planning/issues/issue.shape.js';
import { get, post, routes } from '../../core/routes.js';

export default routes('/projects/:id/issues', [
  get('/', listProjectIssues, { present: issueShape, paginate: 'offset' }),
  post('/', createIssue, { present: issueDetails, status: 201 }),
  get('/:issue_iid', getIssue, { present: issueDetails }),
  get('/:issue_iid/user_agent_detail', getIssueUserAgent, { present: userAgentDetail }),
]);
