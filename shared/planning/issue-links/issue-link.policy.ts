import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.entity.js';

/**
 * Who may link an issue: whoever may update it (issue-links.md section 5), which is Planners and above, and with a role of their own its
 * author and assignees (issue-links.md section 5).
 */
export const issueLinkPolicy = policy({
  link_issue: (caller: UserOrAnonymous, issue: IssueRecord) =>
    issuePolicy.update_issue(caller, issue) && roleIn(caller, issue.project, 'guest'),
});
