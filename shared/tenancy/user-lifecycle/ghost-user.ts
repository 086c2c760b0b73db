import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { pathTaken } from '../namespaces/claim-path.js';
import { insertUser } from '../users/create-user.js';

/** One at a time makes the ghost; the number is this lock's alone. */
const LOCK = 7_226_503;

async function freeUsername(ctx: Context): Promise<string> {
  for (let number = 0; ; number += 1) {
    const username = number === 0 ? 'ghost' : `ghost${number}`;
    if (!(await pathTaken(ctx, username))) return username;
  }
}

/** The user that takes over what deleted users did for others, made when the first one goes. @returns its id */
export async function ghostUser(ctx: Context): Promise<number> {
  const known = await ctx.queryOne<{ user_id: number }>(sql`select g.user_id as "user_id" from instance_ghost g`);
  if (known) return known.user_id;
  await ctx.query(sql`select pg_advisory_xact_lock(${LOCK})`);
  const made = await ctx.queryOne<{ user_id: number }>(sql`select g.user_id as "user_id" from instance_ghost g`);
  if (made) return made.user_id;
  const username = await freeUsername(ctx);
  const ghost = await insertUser(ctx, {
    username,
    name: 'Ghost User',
    // No mail ever goes there: the domain is one that nobody can have.
    email: `${username}@users.invalid`,
    internal: true,
    profile: { bio: 'Stands for users who were deleted.', projects_limit: 0, can_create_group: false },
  });
  // Plain SQL: the table has no entity.
  await ctx.query(sql`insert into instance_ghost (user_id) values (${ghost.id})`);
  return ghost.id;
}
