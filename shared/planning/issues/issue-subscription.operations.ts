import { can } from '../../core/operations/operation.js';
import { subscriptionOperations } from '../issuables/subscription-operations.js';
import { issueType } from '../issuables/issuable-type.js';
import { findIssue, issue } from './issue.finder.js';
import { subscriptions } from './issue.loads.js';
import { issuePolicy } from './issue.policy.js';

/** Being told of what happens to an issue. */
export const issueSubscriptionOperations = subscriptionOperations({
  type: issueType,
  noun: 'Issue',
  words: 'an issue',
  subject: issue,
  can: can(issuePolicy, 'subscribe_issue'),
  subscriptions,
  again: (ctx, found) => findIssue(ctx, found.project, found.iid),
});

/** Be told of what happens to an issue, or not, as GraphQL says it. */
export const setIssueSubscription = issueSubscriptionOperations.set;
