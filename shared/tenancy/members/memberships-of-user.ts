import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { GroupRecord } from '../groups/group.entity.js';
import type { ProjectRecord } from '../projects/project.entity.js';
import { User } from '../users/user.entity.js';
import type { UserRecord, UserSummary } from '../users/user.entity.js';
import type { Context } from '../../core/context/context.js';
import { nested, nestedOrNull } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { narrow } from '../../core/database/list.js';
import type { List, MatchingQuery } from '../../core/database/list.js';
import { operation } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { visibleMembersCondition, visibleGroups } from '../groups/group.finder.js';
import { visibleProjects } from '../projects/project.finder.js';
import { user, USER_SUMMARY } from '../users/user.finder.js';
import { GroupMember } from './member.entity.js';
import { userPolicy } from '../users/user.policy.js';
import { today, unexpired } from '../namespaces/access.js';

/** A group or project with the direct role that a user has in it. */
export type MembershipIn<S> = S & {
  membership: { id: number; access_level: number; expires_on: string | null; created_at: Date };
  membership_by: UserSummary | null;
};

/** Direct roles `m` of users, of either kind: typed queries know both as those in groups. */
const onMembers = expressionBuilder<Aliased<TenancyDatabase, { m: 'group_members' }>, 'm'>();

/** Unexpired roles of a user; none if the profile is hidden from the caller. */
const isOf = (ctx: Context, found: UserRecord): Expression<SqlBool> =>
  userPolicy.read_user_profile(ctx.caller, found)
    ? onMembers.and([onMembers('m.user_id', '=', found.id), unexpired('m', today(ctx))])
    : constant(false);

/** @param joined adds the roles, as `m` */
function withRole<S>(
  { matching, select }: List<S>,
  joined: (query: MatchingQuery) => MatchingQuery,
  condition: Expression<SqlBool>,
): List<MembershipIn<S>> {
  const list: List<MembershipIn<S>> = {
    matching: joined(matching),
    select: (query) =>
      select(query)
        .leftJoin('users as c', 'c.id', 'm.created_by_id')
        .select([
          ...nested('membership', GroupMember, 'm', { only: ['id', 'access_level', 'expires_on', 'created_at'] }),
          ...nestedOrNull('membership_by', User, 'c', { only: USER_SUMMARY }),
        ]),
    order: [
      {
        key: 'id',
        expression: onMembers.ref('m.id'),
        direction: 'asc',
        type: 'integer',
        value: (row) => row.membership.id,
      },
    ],
  };
  return narrow(list, [condition]);
}

// Members require sign-in, even for public groups and projects (core-resources.md section 4).
const reading = { resource: user, authentication: 'signed_in', kind: 'read', statements: 5 } as const;

/** List the groups in which a user has a direct role and whose members the caller may read, in order of joining. */
export const listGroupMembershipsOfUser = operation({
  name: 'listGroupMembershipsOfUser',
  summary: 'List the groups that a user is in',
  ...reading,
  run(ctx, found): Promise<List<MembershipIn<GroupRecord>>> {
    const list = visibleGroups(ctx, [visibleMembersCondition(ctx)]);
    const joined = (query: MatchingQuery) => query.innerJoin('group_members as m', 'm.namespace_id', 'n.id');
    return Promise.resolve(withRole(list, joined, isOf(ctx, found)));
  },
});

/** List the projects that a user has a direct role in and the caller may see, in the order of joining. */
export const listProjectMembershipsOfUser = operation({
  name: 'listProjectMembershipsOfUser',
  summary: 'List the projects that a user is in',
  ...reading,
  run(ctx, found): Promise<List<MembershipIn<ProjectRecord>>> {
    const joined = (query: MatchingQuery) => query.innerJoin('project_members as m', 'm.project_id', 'p.id');
    return Promise.resolve(withRole(visibleProjects(ctx), joined, isOf(ctx, found)));
  },
});
