import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/**
 * The ids of an issue's assignees once users were set, added or taken away by their names; names that nobody has are
 * left out.
 */
export async function assigneeIdsAfter(
  ctx: Context,
  { id }: { readonly id: number },
  usernames: readonly string[],
  mode: 'replace' | 'append' | 'remove',
): Promise<number[]> {
  const named = await ctx.query<{ id: number }>(sql`
    select u.id as "id" from users u where lower(u.username) = any(array(select lower(n) from unnest(${usernames}::text[]) n))`);
  const namedIds = named.map((user) => user.id);
  if (mode === 'replace') return namedIds;
  const known = await ctx.query<{ user_id: number }>(sql`
    select x.user_id as "user_id" from issue_assignees x where x.issue_id = ${id} order by x.user_id`);
  const before = known.map(({ user_id }) => user_id);
  if (mode === 'remove') return before.filter((one) => !namedIds.includes(one));
  return [...new Set([...before, ...namedIds])];
}
