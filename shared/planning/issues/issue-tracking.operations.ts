import { can } from '../../core/operations/operation.js';
import { subscriptionOperations } from '../issuables/subscription-operations.js';
import { issueType } from '../issuables/issuable-type.js';
import { timeOperations } from '../issuables/time-operations.js';
import { findIssue, issue } from './issue.finder.js';
import { subscriptions } from './issue.loads.js';
import { issuePolicy } from './issue.policy.js';
import { writeIssueChange } from './write-issue-change.js';

/** Subscribing to an issue and unsubscribing from it. */
export const issueSubscriptionOperations = subscriptionOperations({
  type: issueType,
  noun: 'Issue',
  nounPhrase: 'an issue',
  resource: issue,
  can: can(issuePolicy, 'subscribe_issue'),
  subscriptions,
  again: (ctx, found) => findIssue(ctx, found.project, found.iid),
});

/** Set the subscription to an issue, as in GraphQL. */
export const setIssueSubscription = issueSubscriptionOperations.set;

/** How long issues take: Planners and above say so. */
export const issueTimeOperations = timeOperations({
  type: issueType,
  noun: 'Issue',
  nounPhrase: 'an issue',
  resource: issue,
  read: can(issuePolicy, 'read_issue'),
  write: can(issuePolicy, 'admin_issue'),
  save: writeIssueChange,
});

/** Say how long an issue will take, as GraphQL does. */
export const estimateIssue = issueTimeOperations.estimate;
