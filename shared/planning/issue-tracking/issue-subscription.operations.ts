import type { SignedInContext } from '../../core/context.js';
import { NotModified } from '../../core/errors.js';
import { boolean } from '../../core/fields.js';
import { can, operation } from '../../core/operation.js';
import { issueType } from '../issuables/issuable-type.js';
import { setSubscription } from '../issuables/subscribe.js';
import { findIssue, issue } from '../issues/issue.finder.js';
import { subscriptions } from '../issues/issue.loads.js';
import { issuePolicy } from '../issues/issue.policy.js';
import type { IssueRecord } from '../issues/issue.record.js';

/** @returns null where it is so already */
async function setTo(ctx: SignedInContext, found: IssueRecord, wanted: boolean): Promise<IssueRecord | null> {
  await subscriptions.fill(ctx, [found]);
  if (subscriptions.of(found, ctx) === wanted) return null;
  await setSubscription(ctx, issueType, found, wanted);
  return findIssue(ctx, found.project, found.iid);
}

/** @throws NotModified where it is so already */
async function change(ctx: SignedInContext, found: IssueRecord, wanted: boolean): Promise<IssueRecord> {
  const changed = await setTo(ctx, found, wanted);
  if (!changed) throw new NotModified();
  return changed;
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

/** Be told of what happens to an issue, or not: as GraphQL says it, where it may be so already. */
export const setIssueSubscription = operation({
  name: 'setIssueSubscription',
  summary: 'Subscribe to an issue, or unsubscribe',
  subject: issue,
  can: can(issuePolicy, 'subscribe_issue'),
  kind: 'write',
  params: { subscribed: boolean().describe('Whether the caller is told.') },
  run: async (ctx, found, input) => (await setTo(ctx, found, input.subscribed)) ?? found,
});
