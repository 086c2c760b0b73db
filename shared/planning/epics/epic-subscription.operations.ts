import type { SignedInContext } from '../../core/context/context.js';
import { NotModified } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { epic, findEpic } from './epic.finder.js';
import { subscriptionsToEpics } from './epic.loads.js';
import { epicPolicy } from './epic.policy.js';
import type { EpicRecord } from './epic.entity.js';
import { epicType } from '../issuables/issuable-type.js';
import { setSubscription } from '../issuables/subscribe.js';

/** @throws NotModified if the subscription already has this state */
async function change(ctx: SignedInContext, found: EpicRecord, subscribed: boolean): Promise<EpicRecord> {
  await subscriptionsToEpics.fill(ctx, [found]);
  if (subscriptionsToEpics.of(found, ctx) === subscribed) throw new NotModified();
  await setSubscription(ctx, epicType, found, subscribed);
  return findEpic(ctx, found.group, found.iid);
}

const own = {
  resource: epic,
  can: can(epicPolicy, 'subscribe_epic'),
  plan: 'premium',
  kind: 'write',
} as const;

/** Subscribe to an epic's notifications: signed-in users who can read it. */
export const subscribeToEpic = operation({
  name: 'subscribeToEpic',
  summary: 'Subscribe to an epic',
  ...own,
  run: (ctx, found) => change(ctx, found, true),
});

/** Unsubscribe from an epic's notifications. */
export const unsubscribeFromEpic = operation({
  name: 'unsubscribeFromEpic',
  summary: 'Unsubscribe from an epic',
  ...own,
  run: (ctx, found) => change(ctx, found, false),
});
