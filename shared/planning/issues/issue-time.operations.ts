import { can } from '../../core/operations/operation.js';
import { timeOperations } from '../issuables/time-operations.js';
import { issueType } from '../issuables/issuable-type.js';
import { writeIssueChange } from './write-issue-change.js';
import { issue } from './issue.finder.js';
import { issuePolicy } from './issue.policy.js';

/** How long issues take: Planners and above say so. */
export const issueTimeOperations = timeOperations({
  type: issueType,
  noun: 'Issue',
  words: 'an issue',
  subject: issue,
  read: can(issuePolicy, 'read_issue'),
  write: can(issuePolicy, 'admin_issue'),
  save: writeIssueChange,
});

/** Say how long an issue will take, as GraphQL does. */
export const estimateIssue = issueTimeOperations.estimate;
