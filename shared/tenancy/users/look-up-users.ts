import type { Expression, SqlBool } from 'kysely';
import type { UserRecord } from './user.entity.js';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { boolean, integer, list, optional, oneOf, text } from '../../core/operations/fields.js';
import type { List, OrderStep } from '../../core/database/list.js';
import { byId } from '../../core/database/list.js';
import { instance, operation } from '../../core/operations/operation.js';
import { findGroup } from '../groups/group.finder.js';
import { groupPolicy } from '../groups/group.policy.js';
import { today, unexpired } from '../namespaces/access.js';
import { userConditions } from './user.filters.js';
import { findUser, findUserByUsername, onUsers, visibleUsers } from './user.finder.js';

/** User lookups without a REST endpoint; open to all callers, signed in or not (graphql.md section 5.1). */

/** Look up one user, by id or username. Private profile fields stay hidden. */
export const lookUpUser = operation({
  name: 'lookUpUser',
  summary: 'Find a user by ID or username',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  params: {
    id: optional(integer()).describe('ID of the user.'),
    username: optional(text()).describe('Username of the user, regardless of case.'),
  },
  run(ctx, _instance, { id, username }): Promise<UserRecord> {
    if (id !== undefined) return findUser(ctx, id);
    return findUserByUsername(ctx, username ?? '');
  },
});

const SORTS = ['created_asc', 'created_desc', 'updated_asc', 'updated_desc'] as const;

function getOrder(sort: (typeof SORTS)[number]): List<UserRecord>['order'] {
  const [column, direction] = sort.split('_') as ['created' | 'updated', 'asc' | 'desc'];
  const key = `${column}_at` as const;
  const step: OrderStep<UserRecord> = {
    key,
    expression: onUsers.ref(`u.${key}`),
    direction,
    type: 'instant',
    value: (user) => user[key],
  };
  return [step, byId<UserRecord>('u', direction)];
}

/**
 * Members of a group whose members the caller may read: direct and inherited ones, but not those of invited groups.
 * @throws NotFound
 */
async function inGroup(ctx: Context, groupId: number): Promise<Expression<SqlBool>> {
  const group = await findGroup(ctx, groupId);
  if (!groupPolicy.read_group_member(ctx.caller, group)) throw new NotFound('Group');
  const ids = onUsers
    .selectFrom('group_members as m')
    .select('m.user_id')
    .where('m.namespace_id', '=', anyOf(group.traversal_ids, 'bigint'))
    .where(unexpired('m', today(ctx)));
  return onUsers('u.id', 'in', ids);
}

/** Look up users by name, state and the like. Without signing in only by their usernames. */
export const lookUpUsers = operation({
  name: 'lookUpUsers',
  summary: 'Find users visible to the caller',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  params: {
    ids: optional(list(integer(), { max: 100 })).describe('IDs of the users to return.'),
    usernames: optional(list(text(), { max: 100 })).describe('Usernames of the users to return, regardless of case.'),
    search: optional(text()).describe('Part of the name or username, or a complete email address.'),
    active: optional(boolean()).describe('If `true`, returns only active users.'),
    admins: optional(boolean()).describe('If `true`, returns only administrators. For administrators.'),
    humans: optional(boolean()).describe('If `true`, returns only human users.'),
    group_id: optional(integer()).describe('ID of a group that the user has a role in.'),
    sort: optional(oneOf(SORTS)).describe('Sort order of the users.'),
  },
  async run(ctx, _instance, { ids, usernames, group_id: groupId, sort = 'created_desc', ...filters }) {
    if (ctx.caller.anonymous && (usernames ?? []).length === 0) throw new Forbidden();
    const conditions = userConditions(ctx, filters as Parameters<typeof userConditions>[1]);
    if (ids !== undefined) conditions.push(onUsers('u.id', '=', anyOf(ids, 'bigint')));
    if (usernames !== undefined) {
      const names = usernames.map((name) => name.toLowerCase());
      conditions.push(onUsers(onUsers.fn('lower', ['u.username']), '=', anyOf(names, 'text')));
    }
    if (groupId !== undefined) conditions.push(await inGroup(ctx, groupId));
    return { ...visibleUsers(conditions), order: getOrder(sort) };
  },
});
