import type { Context } from '../core/context.js';
import { Forbidden } from '../core/errors.js';
import { can, operation } from '../core/operation.js';
import { sql } from '../core/sql.js';
import { deactivateSchedulesOf } from '../pipeline-schedules/deactivate-schedules.js';
import { endAccessOf } from '../user-sessions/end-access.js';
import { user } from './user.finder.js';
import type { UserRecord } from './user.finder.js';
import { userPolicy } from './user.policy.js';

/** Moves a user from one of `from` to another state. @returns whether the user was in one of them */
async function moveState(ctx: Context, found: UserRecord, from: readonly string[], to: string): Promise<boolean> {
  const moved = await ctx.query(sql`
    update users set state = ${to}, updated_at = ${ctx.clock.now()}
     where id = ${found.id} and state = any(${from}::text[]) returning id`);
  if (moved.length > 0) ctx.afterCommit(() => ctx.services.forgetCallers());
  return moved.length > 0;
}

/** Block a user: tokens are refused at once, schedules stop. Answers null when the user is blocked already. */
export const blockUser = operation({
  summary: 'Block a user',
  subject: user,
  can: can(userPolicy, 'block_user'),
  kind: 'write',
  async run(ctx, found): Promise<true | null> {
    if (found.id === ctx.caller.id) throw new Forbidden('The API initiating user cannot be blocked by the API');
    if (found.internal) throw new Forbidden('An internal user cannot be blocked');
    if (!(await moveState(ctx, found, ['active', 'deactivated'], 'blocked'))) return null;
    await deactivateSchedulesOf(ctx, found.id);
    await endAccessOf(ctx, found.id);
    return true;
  },
});

/** Unblock a user. Schedules stay inactive. Answers false when the user was not blocked. */
export const unblockUser = operation({
  summary: 'Unblock a user',
  subject: user,
  can: can(userPolicy, 'block_user'),
  kind: 'write',
  async run(ctx, found): Promise<boolean> {
    if (found.state === 'deactivated') throw new Forbidden('Deactivated users cannot be unblocked by the API');
    return moveState(ctx, found, ['blocked'], 'active');
  },
});
