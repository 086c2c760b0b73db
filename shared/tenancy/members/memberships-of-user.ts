import type { GroupRecord } from '../groups/group.record.js';
import type { ProjectRecord } from '../projects/project.record.js';
import type { UserRecord, UserSummary } from '../users/user.record.js';
import type { Context } from '../../core/context.js';
import type { TextList } from '../../core/list.js';
import { operation } from '../../core/operation.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { knownMembersCondition, visibleGroups } from '../groups/group.finder.js';
import { visibleProjects } from '../projects/project.finder.js';
import { user, userSummaryColumns } from '../users/user.finder.js';
import { userPolicy } from '../users/user.policy.js';
import { today, unexpired } from '../access/access.js';

/** A group or project with the direct role that a user has in it. */
export type MembershipIn<S> = S & {
  membership: { id: number; access_level: number; expires_on: string | null; created_at: Date };
  membership_by: UserSummary | null;
};

const selected: Fragment = sql`m.id as "membership.id", m.access_level as "membership.access_level",
  m.expires_on as "membership.expires_on", m.created_at as "membership.created_at",
  ${userSummaryColumns('c', 'membership_by.')}`;

/** Roles of a user that last; none where the profile is kept from the caller. */
function rolesOf(ctx: Context, found: UserRecord): Fragment {
  if (!userPolicy.read_user_profile(ctx.caller, found)) return sql`false`;
  return sql`m.user_id = ${found.id} and ${unexpired('m', today(ctx))}`;
}

function withRole<S>({ select, from, where }: TextList<S>, roles: Fragment): TextList<MembershipIn<S>> {
  return {
    select: sql`${select}, ${selected}`,
    from: sql`${from} ${roles} left join users c on c.id = m.created_by_id`,
    where,
    order: [
      { key: 'id', expression: raw('m.id'), direction: 'asc', type: 'integer', value: (row) => row.membership.id },
    ],
  };
}

// Members are for whoever is signed in, of public groups and projects too (core-resources.md section 4).
const reading = { subject: user, gate: 'signed_in', kind: 'read', statements: 5 } as const;

/** List the groups that a user has a direct role in and whose members the caller may know, in the order of joining. */
export const listGroupMembershipsOfUser = operation({
  name: 'listGroupMembershipsOfUser',
  summary: 'List the groups that a user is in',
  ...reading,
  run(ctx, found): Promise<TextList<MembershipIn<GroupRecord>>> {
    const list = visibleGroups(ctx, [rolesOf(ctx, found), knownMembersCondition(ctx)]);
    return Promise.resolve(withRole(list, sql`join group_members m on m.namespace_id = n.id`));
  },
});

/** List the projects that a user has a direct role in and the caller may see, in the order of joining. */
export const listProjectMembershipsOfUser = operation({
  name: 'listProjectMembershipsOfUser',
  summary: 'List the projects that a user is in',
  ...reading,
  run(ctx, found): Promise<TextList<MembershipIn<ProjectRecord>>> {
    const list = visibleProjects(ctx, [rolesOf(ctx, found)]);
    return Promise.resolve(withRole(list, sql`join project_members m on m.project_id = p.id`));
  },
});
