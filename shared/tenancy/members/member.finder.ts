import type { MemberRecord } from './member.record.js';
import { containerTable } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { join, raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { Container } from '../containers/container.js';
import { knownMembersCondition } from '../groups/group.finder.js';
import { User } from '../users/user.entity.js';
import { USER_SUMMARY, userSummaryColumns } from '../users/user.finder.js';
import { projectShareHolds, today, unexpired } from '../access/access.js';

const selected: Fragment = sql`${textColumns(User, 'u', '', [...USER_SUMMARY, 'email', 'bot', 'internal'])}, ${userSummaryColumns('c', 'created_by.')},
  m.id as "member_id", m.access_level as "access_level", m.expires_on as "expires_on", m.created_at as "created_at"`;

/** Direct members as rows of `m`; who expired is none. */
function direct(ctx: Context, source: Container): Fragment {
  const { table, column } = containerTable(source.kind, 'members');
  return sql`select m.* from ${table} m where m.${column} = ${source.id} and ${unexpired('m', today(ctx))}`;
}

/** What a shared role has of the membership `m` and the share `s` that it comes from. */
const sharedFields = sql`m.id, m.user_id, least(m.access_level, s.group_access) as access_level, m.created_by_id,
  least(m.expires_on, s.expires_on) as expires_on, m.created_at`;

/** Roles in groups themselves, as rows of `m`. */
function inGroups(ctx: Context, groupIds: Fragment): Fragment {
  return sql`
    select m.id, m.user_id, m.access_level, m.created_by_id, m.expires_on, m.created_at, 1 as nearness
      from group_members m where m.namespace_id = any(${groupIds}) and ${unexpired('m', today(ctx))}`;
}

/**
 * That the caller may know whom a share `s` brings in: whoever has a role here knows with whom they share it, others
 * only where they may know the members of the invited group.
 */
function isTold(ctx: Context, source: Container): Fragment {
  if (ctx.caller.admin || source.access > 0) return sql`true`;
  return sql`exists (select 1 from namespaces n join group_settings gs on gs.namespace_id = n.id
    where n.id = s.group_id and ${knownMembersCondition(ctx)})`;
}

/** Roles that groups are shared with (see `access.ts`), as rows of `m`. */
function intoGroups(ctx: Context, source: Container, groupIds: Fragment): Fragment {
  const day = today(ctx);
  return sql`
    select ${sharedFields}, 0 as nearness from group_shares s join group_members m on m.namespace_id = s.group_id
     where s.namespace_id = any(${groupIds}) and m.access_level >= 10 and ${unexpired('s', day)}
       and ${unexpired('m', day)} and ${isTold(ctx, source)}`;
}

/** Roles that shares of a project give, as rows of `m`. */
function byShare(ctx: Context, source: Container): Fragment {
  const day = today(ctx);
  const invited = raw('invited.traversal_ids');
  return sql`
    select ${sharedFields}, 0 from project_shares s join projects p on p.id = s.project_id
      join namespaces invited on invited.id = s.group_id,
      lateral (${inGroups(ctx, invited)} union all ${intoGroups(ctx, source, invited)}) m
     where s.project_id = ${source.id} and m.access_level >= 10 and ${projectShareHolds('s', 'p', day)}
       and ${isTold(ctx, source)}`;
}

/** How somebody comes to a role: by one right here, by one above, or by one in a group that is invited. */
const EFFECTIVE = ['direct', 'inherited', 'shared'] as const;
/** The same, or by a role in a group below, which is none here: only who asks for those is told. */
export const RELATIONS = [...EFFECTIVE, 'descendants'] as const;
export type Relation = (typeof RELATIONS)[number];

/** Roles in the groups below one, those whose members the caller may know, as rows of `m`. */
function belowGroup(ctx: Context, groupId: number): Fragment {
  return sql`
    select m.id, m.user_id, m.access_level, m.created_by_id, m.expires_on, m.created_at, -1 as nearness
      from group_members m join namespaces n on n.id = m.namespace_id
      join group_settings gs on gs.namespace_id = n.id
     where n.traversal_ids @> array[${groupId}]::bigint[] and n.id <> ${groupId} and ${unexpired('m', today(ctx))}
       and ${knownMembersCondition(ctx)}`;
}

/** Everybody with a role, each once with the highest one; of equal ones the nearest: direct, inherited, shared, below. */
function effective(ctx: Context, source: Container, relations: readonly Relation[]): Fragment {
  const above = source.namespaceIds.filter((id) => source.kind === 'project' || id !== source.id);
  const rows: Fragment[] = [];
  if (relations.includes('direct'))
    rows.push(sql`select m.id, m.user_id, m.access_level, m.created_by_id, m.expires_on, m.created_at, 2 as nearness
      from (${direct(ctx, source)}) m`);
  if (relations.includes('inherited')) rows.push(inGroups(ctx, sql`${above}::bigint[]`));
  if (relations.includes('shared')) {
    rows.push(intoGroups(ctx, source, sql`${source.namespaceIds}::bigint[]`));
    if (source.kind === 'project') rows.push(byShare(ctx, source));
  }
  // A project has nothing below it.
  if (relations.includes('descendants') && source.kind === 'group') rows.push(belowGroup(ctx, source.id));
  if (rows.length === 0) rows.push(inGroups(ctx, sql`'{}'::bigint[]`));
  return sql`select distinct on (x.user_id) x.* from (${join(rows, ' union all ')}) x
    order by x.user_id, x.access_level desc, x.nearness desc, x.id`;
}

/**
 * Members of a project or group, by user id; filters on `m` and `u` are added to `where`.
 * @param options.inherited everybody with a role, or only direct members
 * @param options.relations of everybody, only those with a role by one of these; at least one. Unless told, all but `descendants`
 */
export function membersOf(
  ctx: Context,
  source: Container,
  options: { inherited: boolean; relations?: readonly Relation[] },
  where: readonly Fragment[] = [],
): TextList<MemberRecord> {
  const { inherited, relations = EFFECTIVE } = options;
  const rows = inherited ? effective(ctx, source, relations) : direct(ctx, source);
  return {
    select: selected,
    from: sql`(${rows}) m join users u on u.id = m.user_id left join users c on c.id = m.created_by_id`,
    where: [...where],
    order: [{ key: 'id', expression: sql`u.id`, direction: 'asc', type: 'integer', value: (member) => member.id }],
  };
}

/** @throws NotFound "404 Not found" when the user has no such role, or had one until it expired */
export async function findMember(
  ctx: Context,
  source: Container,
  userId: number,
  options: { inherited: boolean } = { inherited: false },
): Promise<MemberRecord> {
  const { select, from } = membersOf(ctx, source, options);
  const member = await ctx.queryOne<MemberRecord>(sql`select ${select} from ${from} where u.id = ${userId}`);
  if (!member) throw new NotFound();
  return member;
}
