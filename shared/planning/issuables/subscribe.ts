import type { Insertable } from 'kysely';
import type { SignedInContext } from '../../core/context/context.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { getContainerId } from './issuable-type.js';
import type { LabelledRef, LabelledType } from './issuable-type.js';

type IssueSubscriptionRow = Insertable<PlanningDatabase['issue_subscriptions']>;

/** Stores whether the caller wants notifications for a record. */
export async function setSubscription(
  ctx: SignedInContext,
  { tables }: LabelledType,
  ref: LabelledRef,
  subscribed: boolean,
): Promise<void> {
  const row = {
    [tables.container_id]: getContainerId(ref),
    [tables.record_id]: ref.id,
    user_id: ctx.caller.id,
    subscribed,
  } as IssueSubscriptionRow;
  await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto(tables.subscriptions)
    .values(row)
    .onConflict((conflict) => conflict.columns([tables.record_id, 'user_id']).doUpdateSet({ subscribed }))
    .execute();
}
