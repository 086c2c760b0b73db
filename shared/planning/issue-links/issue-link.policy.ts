import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.entity.js';

/**
 * Linking an issue requires permission to update it (issue-links.md section 5): Planners and above, and its author and
 * assignees if they have a role in the project (issue-links.md section 5).
 */
export const issueLinkPolicy = policy({
  link_issue: (caller: UserOrAnonymous, issue: IssueRecord) =>
    issuePolicy.update_issue(caller, issue) && roleIn(caller, issue.project, 'guest'),
});
