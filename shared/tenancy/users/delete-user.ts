import { User } from './user.entity.js';
import type { UserRecord } from './user.entity.js';
import type { Context } from '../../core/context/context.js';
import { Conflict, Forbidden } from '../../core/values/errors.js';
import { boolean, optional } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { soleOwnedGroups } from './sole-owned-groups.js';
import { user } from './user.finder.js';
import { deleteUsers } from '../tenancy.jobs.js';
import { userPolicy } from './user.policy.js';

/** Shuts a user out at once, and leaves the rest to a job. */
export async function startRemoval(ctx: Context, found: UserRecord, options: { hard: boolean }): Promise<void> {
  const blocked = { state: 'blocked', updated_at: ctx.clock.now() };
  await ctx.em.nativeUpdate(User, { id: found.id, state: { $ne: 'blocked' } }, blocked);
  ctx.record({ type: 'user.stopped', user_id: found.id }, { type: 'user.deleted', user: found, hard: options.hard });
  await ctx.jobs.send(deleteUsers, { user_id: found.id, ...options });
  ctx.afterCommit(() => ctx.services.forgetCallers());
}

/**
 * Delete a user. Requires an administrator. Their tokens are refused at once; a job removes the rest. Their
 * contributions then belong to the ghost user; with `hard_delete` to no user, and groups that only they own are deleted
 * too.
 */
export const deleteUser = operation({
  name: 'deleteUser',
  summary: 'Delete a user',
  resource: user,
  can: can(userPolicy, 'destroy_user'),
  kind: 'write',
  conditional: true,
  params: {
    hard_delete: optional(boolean()).describe(
      'If `true`, removes groups that the user alone owns, and leaves nothing to the ghost user.',
    ),
  },
  async run(ctx, found, input) {
    if (found.internal) throw new Forbidden('An internal user cannot be deleted');
    const hard = input.hard_delete === true;
    if (!hard && (await soleOwnedGroups(ctx, found.id)).length > 0)
      throw new Conflict('User cannot be removed while is the sole-owner of a group');
    await startRemoval(ctx, found, { hard });
  },
});
