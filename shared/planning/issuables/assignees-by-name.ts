import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { PlanningDatabase } from '../planning.entities.js';

/**
 * The ids of an issue's assignees after users were set, added or removed by username; unknown usernames are ignored.
 */
export async function assigneeIdsAfter(
  ctx: Context,
  { id }: { readonly id: number },
  usernames: readonly string[],
  mode: 'replace' | 'append' | 'remove',
): Promise<number[]> {
  const db = ctx.em.getKysely<PlanningDatabase>();
  const users = await db
    .selectFrom('users as u')
    .select('u.id')
    .where((eb) =>
      eb(
        eb.fn('lower', ['u.username']),
        '=',
        anyOf(
          usernames.map((name) => name.toLowerCase()),
          'text',
        ),
      ),
    )
    .execute();
  const userIds = users.map((user) => user.id);
  if (mode === 'replace') return userIds;
  const rows = await db
    .selectFrom('issue_assignees as x')
    .select('x.user_id')
    .where('x.issue_id', '=', id)
    .orderBy('x.user_id')
    .execute();
  const before = rows.map(({ user_id }) => user_id);
  if (mode === 'remove') return before.filter((one) => !userIds.includes(one));
  return [...new Set([...before, ...userIds])];
}
