import type { SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { IssuableRef, IssuableType } from './issuable-type.js';

/** Notes that the caller wants to be told of what happens to a record, or of nothing. */
export async function setSubscription(
  ctx: SignedInContext,
  { subscriptions, column }: IssuableType,
  { id, project_id }: IssuableRef,
  subscribed: boolean,
): Promise<void> {
  await ctx.query(sql`
    insert into ${subscriptions} (project_id, ${column}, user_id, subscribed)
    values (${project_id}, ${id}, ${ctx.caller.id}, ${subscribed})
    on conflict (${column}, user_id) do update set subscribed = excluded.subscribed`);
}
