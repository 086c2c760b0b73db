import type { SignedInContext } from '../../core/context.js';
import { NotModified } from '../../core/errors.js';
import { can, operation } from '../../core/operation.js';
import { issueType } from '../issuables/issuable-type.js';
import { setSubscription } from '../issuables/subscribe.js';
import { findIssue, issue } from '../issues/issue.finder.js';
import { subscriptions } from '../issues/issue.loads.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.record.js';

/** @throws NotModified where it is so already */
async function change(ctx: SignedInContext, found: IssueRecord, wanted: boolean): Promise<IssueRecord> {
  await subscriptions.fill(ctx, [found]);
  if (subscriptions.of(found, ctx) === wanted) throw new NotModified();
  await setSubscription(ctx, issueType, found, wanted);
  return findIssue(ctx, found.project, found.iid);
}

/** Be told of what happens to an issue: everybody signed in who may read it. */
export const subscribeToIssue = operation({
  name: 'subscribeToIssue',
  summary: 'Subscribe to an issue',
  subject: issue,
  can: can(issuePolicy, 'subscribe_issue'),
  kind: 'write',
  run: (ctx, found) => change(ctx, found, true),
});

/** Be told no more of what happens to an issue. */
export const unsubscribeFromIssue = operation({
  name: 'unsubscribeFromIssue',
  summary: 'Unsubscribe from an issue',
  subject: issue,
  can: can(issuePolicy, 'subscribe_issue'),
  kind: 'write',
  run: (ctx, found) => change(ctx, found, false),
});
