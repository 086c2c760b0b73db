import type { Expression, SqlBool } from 'kysely';
import { clearable, day, boolean, integer, list, optional, oneOf, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { ContainerType } from '../../core/operations/container.js';
import { allOf, anyOf, constant, sameText } from '../../core/database/expressions.js';
import { userMatchesName, onUsers } from '../users/user.finder.js';
import { forContainers } from '../containers/container.js';
import type { Container } from '../containers/container.js';
import { addMembers, addParams, addRules, roleParam } from './add-members.js';
import { changeMember, removeMember } from './change-member.js';
import { findMember, findMembers, onMembers, RELATIONS } from './member.finder.js';
import { memberPolicy } from './member.policy.js';

const filterParams = {
  query: optional(text()).describe('Part of the name or username, or a complete public email address.'),
  user_ids: optional(list(integer(), { commas: true })).describe('IDs of the users to return.'),
  skip_users: optional(list(integer(), { commas: true })).describe('IDs of the users to exclude.'),
  show_seat_info: optional(boolean()).describe(
    'If `true`, indicates for each member if they take a seat of the license.',
  ),
};

interface Filters {
  query?: string | undefined;
  user_ids?: number[] | undefined;
  skip_users?: number[] | undefined;
}

function conditions({ query, user_ids, skip_users }: Filters): Expression<SqlBool>[] {
  const where: Expression<SqlBool>[] = [];
  if (query !== undefined)
    where.push(onUsers.or([userMatchesName(query), sameText(onUsers.ref('u.public_email'), query)]));
  if (user_ids !== undefined) where.push(onUsers('u.id', '=', anyOf(user_ids, 'bigint')));
  if (skip_users !== undefined) where.push(onUsers('u.id', '<>', allOf(skip_users, 'bigint')));
  return where;
}

const userParam = { user_id: integer().describe('ID of the user.') };

/** Reading members. */
function readingOperations({ kind: of, noun, resource }: ContainerType<Container>) {
  const readable = { resource, can: can(memberPolicy, 'read_member'), kind: 'read' } as const;
  return {
    /** List direct members. */
    list: operation({
      name: `list${noun}Members`,
      ...readable,
      summary: `List the direct members of a ${of}`,
      statements: 4,
      params: filterParams,
      run: (ctx, source, input) => Promise.resolve(findMembers(ctx, source, { inherited: false }, conditions(input))),
    }),

    /** List everybody with a role, inherited ones too, each with the highest level. */
    listAll: operation({
      name: `listAll${noun}Members`,
      ...readable,
      summary: `List all members of a ${of}`,
      statements: 4,
      params: { ...filterParams, state: optional(oneOf(['awaiting', 'active'])).describe('State of the membership.') },
      run(ctx, source, input) {
        // All members are active; there is no approval queue.
        const where = input.state === 'awaiting' ? [constant(false)] : conditions(input);
        return Promise.resolve(findMembers(ctx, source, { inherited: true }, where));
      },
    }),

    /** Find who has a role by one of some relations, each with the highest level by them; everybody without any. */
    find: operation({
      name: `find${noun}Members`,
      ...readable,
      summary: `Find members of a ${of}`,
      statements: 4,
      params: {
        query: filterParams.query,
        relations: optional(list(oneOf(RELATIONS))).describe('Relations through which the members have their role.'),
        access_levels: optional(list(integer())).describe('Access levels of the members to return.'),
      },
      run(ctx, source, { query, relations, access_levels: levels }) {
        const chosen = relations && relations.length > 0 ? { relations } : {};
        const where = conditions({ query });
        if (levels !== undefined) where.push(onMembers('m.access_level', '=', anyOf(levels, 'int')));
        return Promise.resolve(findMembers(ctx, source, { inherited: true, ...chosen }, where));
      },
    }),

    /** Read one direct member. */
    get: operation({
      name: `get${noun}Member`,
      ...readable,
      summary: `Read a direct member of a ${of}`,
      statements: 3,
      params: userParam,
      run: (ctx, source, input) => findMember(ctx, source, input.user_id),
    }),

    /** Read one member by the highest level, inherited or not. */
    getAll: operation({
      name: `getAnyMemberOf${noun}`,
      ...readable,
      summary: `Read a member of a ${of}, inherited ones too`,
      statements: 3,
      params: userParam,
      run: (ctx, source, input) => findMember(ctx, source, input.user_id, { inherited: true }),
    }),
  };
}

/** Changing members. */
function changingOperations({ kind: of, noun, resource }: ContainerType<Container>) {
  return {
    /** Give one user, or several, a role. */
    add: operation({
      name: `add${noun}Members`,
      summary: `Add members to a ${of}`,
      example: { user_id: '2' },
      resource,
      can: can(memberPolicy, 'admin_member'),
      kind: 'write',
      params: addParams,
      rules: addRules,
      run: addMembers,
    }),

    /** Change a direct member's role or its expiry. */
    update: operation({
      name: `update${noun}Member`,
      summary: `Edit a member of a ${of}`,
      resource,
      can: can(memberPolicy, 'admin_member'),
      kind: 'write',
      params: {
        ...userParam,
        access_level: integer()
          .describe('Access level of the member, from 10 (Guest) to 50 (Owner).')
          .meta({ examples: [30] }),
        expires_at: clearable(day()).describe('Date on which the role expires, in UTC; empty for never.'),
        ...roleParam,
      },
      run: changeMember,
    }),

    /** Take a direct member's role away, from a group also every role below it. Everybody may leave. */
    remove: operation({
      name: `remove${noun}Member`,
      summary: `Remove a member from a ${of}`,
      resource,
      limit: 'members_delete',
      kind: 'write',
      params: {
        ...userParam,
        unassign_issuables: optional(boolean()).describe(
          'If `true`, also unassigns the member from issues and merge requests.',
        ),
        skip_subresources: optional(boolean()).describe(
          'If `true`, keeps direct roles in subgroups and projects below.',
        ),
      },
      run: (ctx, source, input) =>
        removeMember(ctx, source, input.user_id, {
          keepBelow: input.skip_subresources === true,
          unassign: input.unassign_issuables === true,
        }),
    }),
  };
}

/** The operations on the members of a project or group. */
export const memberOperations = forContainers((type) => ({ ...readingOperations(type), ...changingOperations(type) }));
