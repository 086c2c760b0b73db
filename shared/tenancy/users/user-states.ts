import { User } from './user.entity.js';
import type { UserRecord } from './user.entity.js';
import type { Context } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { user } from './user.finder.js';
import type { StateChange } from '../tenancy.events.js';
import { userPolicy } from './user.policy.js';

/** States that prevent sign-in until an administrator changes them. */
const BLOCKED_STATES = ['blocked', 'banned', 'blocked_pending_approval'];

/**
 * Moves a user from one of the states in `from` to another state and records the event. The update checks the stored
 * state, so that only one of two concurrent moves succeeds.
 * @returns whether the user was in one of the states
 */
export async function moveState(
  ctx: Context,
  found: UserRecord,
  from: readonly string[],
  to: string,
  how: StateChange,
): Promise<boolean> {
  const changed = { state: to, updated_at: ctx.clock.now() };
  const moved = await ctx.em.nativeUpdate(User, { id: found.id, state: { $in: [...from] } }, changed);
  if (moved === 0) return false;
  ctx.afterCommit(() => ctx.services.forgetCallers());
  ctx.record({ type: 'user.state_changed', user: found, how, from: found.state, to });
  return true;
}

/** @throws Forbidden for oneself, and for the service's own users */
function requireOther(ctx: Context, found: UserRecord, done: string): void {
  if (found.id === ctx.caller.id) throw new Forbidden(`The API initiating user cannot be ${done} by the API`);
  if (found.internal) throw new Forbidden(`An internal user cannot be ${done}`);
}

const changing = { resource: user, can: can(userPolicy, 'block_user'), kind: 'write' } as const;

/** Block a user: tokens are refused at once, schedules stop. Null if sign-in is already prevented. */
export const blockUser = operation({
  name: 'blockUser',
  ...changing,
  summary: 'Block a user',
  async run(ctx, found): Promise<true | null> {
    requireOther(ctx, found, 'blocked');
    if (!(await moveState(ctx, found, ['active', 'deactivated'], 'blocked', 'blocked'))) return null;
    ctx.record({ type: 'user.stopped', user_id: found.id });
    return true;
  },
});

/** Unblock a user. Schedules stay inactive. False where the user was not blocked. */
export const unblockUser = operation({
  name: 'unblockUser',
  ...changing,
  summary: 'Unblock a user',
  run(ctx, found): Promise<boolean> {
    if (found.state === 'deactivated') throw new Forbidden('Deactivated users cannot be unblocked by the API');
    return moveState(ctx, found, ['blocked'], 'active', 'unblocked');
  },
});

/** Deactivate a user, until they are activated or sign in. Null where they are deactivated already. */
export const deactivateUser = operation({
  name: 'deactivateUser',
  ...changing,
  summary: 'Deactivate a user',
  async run(ctx, found): Promise<true | null> {
    requireOther(ctx, found, 'deactivated');
    if (BLOCKED_STATES.includes(found.state)) throw new Forbidden('A blocked user cannot be deactivated by the API');
    if (!(await moveState(ctx, found, ['active'], 'deactivated', 'deactivated'))) return null;
    ctx.record({ type: 'user.stopped', user_id: found.id });
    return true;
  },
});

/** Activate a deactivated user. False where the user is active already. */
export const activateUser = operation({
  name: 'activateUser',
  ...changing,
  summary: 'Activate a user',
  run(ctx, found): Promise<boolean> {
    if (BLOCKED_STATES.includes(found.state)) throw new Forbidden('A blocked user must be unblocked to be activated');
    return moveState(ctx, found, ['deactivated'], 'active', 'activated');
  },
});

/** Ban an active user: blocked, and what they made is hidden. */
export const banUser = operation({
  name: 'banUser',
  ...changing,
  summary: 'Ban a user',
  async run(ctx, found): Promise<true> {
    requireOther(ctx, found, 'banned');
    if (!(await moveState(ctx, found, ['active'], 'banned', 'banned')))
      throw Forbidden.saying(`You cannot ban ${found.state.replaceAll('_', ' ')} users.`);
    ctx.record({ type: 'user.stopped', user_id: found.id });
    return true;
  },
});

/** Unban a banned user. */
export const unbanUser = operation({
  name: 'unbanUser',
  ...changing,
  summary: 'Unban a user',
  async run(ctx, found): Promise<true> {
    if (!(await moveState(ctx, found, ['banned'], 'active', 'unbanned')))
      throw Forbidden.saying(`You cannot unban ${found.state.replaceAll('_', ' ')} users.`);
    return true;
  },
});
