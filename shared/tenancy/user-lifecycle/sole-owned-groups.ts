import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { answersFor, today } from '../access/access.js';

/**
 * Ids of the groups that nobody else would own without this user: direct Owner of them, and no other active Owner
 * there or above who is a person. They are locked first, as every change to a group's members does, so that the last two Owners
 * can't both go.
 */
export async function soleOwnedGroups(ctx: Context, userId: number): Promise<number[]> {
  const owner = sql`m.user_id = ${userId} and m.access_level = 50
    and (m.expires_on is null or m.expires_on > ${today(ctx)}::date)`;
  await ctx.query(sql`
    select n.id from namespaces n join group_members m on m.namespace_id = n.id
     where ${owner} order by n.id for no key update of n`);
  const rows = await ctx.query<{ id: number }>(sql`
    select n.id from group_members m join namespaces n on n.id = m.namespace_id
     where ${owner}
       and not exists (
         select 1 from group_members m join users u on u.id = m.user_id
          where m.namespace_id = any(n.traversal_ids) and m.user_id <> ${userId} and ${answersFor(today(ctx))})
     order by n.id`);
  return rows.map(({ id }) => id);
}
