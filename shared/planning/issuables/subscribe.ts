import type { SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { placeIdOf } from './issuable-type.js';
import type { LabelledRef, LabelledType } from './issuable-type.js';

/** Notes that the caller wants to be told of what happens to a record, or of nothing. */
export async function setSubscription(
  ctx: SignedInContext,
  { subscriptions, column, place }: LabelledType,
  ref: LabelledRef,
  subscribed: boolean,
): Promise<void> {
  await ctx.query(sql`
    insert into ${subscriptions} (${place}, ${column}, user_id, subscribed)
    values (${placeIdOf(ref)}, ${ref.id}, ${ctx.caller.id}, ${subscribed})
    on conflict (${column}, user_id) do update set subscribed = excluded.subscribed`);
}
