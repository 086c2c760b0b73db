import { expressionBuilder } from 'kysely';
import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { MemberRecord } from './member.record.js';
import { typedContainerTable } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { anyIn, anyOf, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/errors.js';
import { narrow, readAll } from '../../core/list.js';
import type { List } from '../../core/list.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import type { Container } from '../containers/container.js';
import { knownMembersCondition } from '../groups/group.finder.js';
import { isAtOrBelow } from '../namespaces/below.js';
import { User } from '../users/user.entity.js';
import { USER_SUMMARY } from '../users/user.finder.js';
import { projectShareHolds, today, unexpired } from '../access/access.js';

/** A role, whichever table it comes from. */
interface Role {
  id: number;
  user_id: number;
  access_level: number;
  created_by_id: number | null;
  expires_on: string | null;
  created_at: Date;
}

/** A role with how near it is: 2 direct, 1 inherited, 0 shared, -1 below. */
interface NearRole extends Role {
  nearness: number;
}

/** Members `m` with their users `u`, as conditions name them. */
type OfMembers = TenancyDatabase & { m: Role; u: User };

/** Builds conditions on members `m` and their users `u`. */
export const onMembers = expressionBuilder<OfMembers, 'm' | 'u'>();

const db = expressionBuilder<TenancyDatabase>();
type OfShares = Aliased<TenancyDatabase, { s: 'group_shares'; invited: 'namespaces' }>;
const onShares = expressionBuilder<OfShares, 'invited' | 's'>();

const ROLE = ['m.id', 'm.user_id', 'm.access_level', 'm.created_by_id', 'm.expires_on', 'm.created_at'] as const;

const selectMembers = (query: SelectQueryBuilder<OfMembers, 'm' | 'u', object>) =>
  query
    .leftJoin('users as c', 'c.id', 'm.created_by_id')
    .select([
      ...columns(User, 'u', [...USER_SUMMARY, 'email', 'bot', 'internal']),
      ...nestedOrNull('created_by', User, 'c', { only: USER_SUMMARY }),
      'm.id as member_id',
      'm.access_level',
      'm.expires_on',
      'm.created_at',
    ]);

/** Direct members; who expired is none. */
function direct(ctx: Context, { kind, id }: Container) {
  const { table, column } = typedContainerTable(kind, 'members');
  return db
    .selectFrom(`${table} as m`)
    .where(`m.${column}`, '=', id)
    .where(unexpired('m', today(ctx)))
    .select([...ROLE, constant<number>(2).as('nearness')]);
}

/** What a shared role has of the membership `m` and the share `s` that it comes from. */
const sharedRole = (eb: ExpressionBuilder<OfShares & { m: Role }, 'm' | 's'>) => [
  eb.ref('m.id').as('id'),
  eb.ref('m.user_id').as('user_id'),
  eb.fn<number>('least', ['m.access_level', 's.group_access']).as('access_level'),
  eb.ref('m.created_by_id').as('created_by_id'),
  eb.fn<string | null>('least', ['m.expires_on', 's.expires_on']).as('expires_on'),
  eb.ref('m.created_at').as('created_at'),
  constant<number>(0).as('nearness'),
];

/** Roles in groups themselves. @param ids any of these, as `=` compares it */
const inGroups = (ctx: Context, ids: Expression<number>) =>
  onShares
    .selectFrom('group_members as m')
    .where('m.namespace_id', '=', ids)
    .where(unexpired('m', today(ctx)))
    .select([...ROLE, constant<number>(1).as('nearness')]);

/**
 * That the caller may know whom a share `s` brings in: whoever has a role here knows with whom they share it, others
 * only where they may know the members of the invited group.
 */
function isShareVisible(ctx: Context, source: Container): Expression<SqlBool> {
  if (ctx.caller.admin || source.access > 0) return constant(true);
  const known = onShares
    .selectFrom('namespaces as n')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select(onShares.lit(1).as('one'))
    .whereRef('n.id', '=', 's.group_id')
    .where(knownMembersCondition(ctx));
  return onShares.exists(known);
}

/** Roles that groups are shared with (see `access.ts`). */
const intoGroups = (ctx: Context, source: Container, ids: Expression<number>) =>
  onShares
    .selectFrom('group_shares as s')
    .innerJoin('group_members as m', 'm.namespace_id', 's.group_id')
    .where('s.namespace_id', '=', ids)
    .where('m.access_level', '>=', 10)
    .where(unexpired('s', today(ctx)))
    .where(unexpired('m', today(ctx)))
    .where(isShareVisible(ctx, source))
    .select(sharedRole);

/** Roles that shares of a project give. */
function byShare(ctx: Context, source: Container) {
  const above = anyIn(onShares.ref('invited.traversal_ids'));
  return db
    .selectFrom('project_shares as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .innerJoin('namespaces as invited', 'invited.id', 's.group_id')
    .innerJoinLateral(
      inGroups(ctx, above)
        .unionAll(intoGroups(ctx, source, above))
        .as('m'),
      (join) => join.onTrue(),
    )
    .where('s.project_id', '=', source.id)
    .where('m.access_level', '>=', 10)
    .where(projectShareHolds('s', 'p', today(ctx)))
    .where(isShareVisible(ctx, source))
    .select(sharedRole as never);
}

/** How somebody comes to a role: by one right here, by one above, or by one in a group that is invited. */
const EFFECTIVE = ['direct', 'inherited', 'shared'] as const;
/** The same, or by a role in a group below, which is none here: only who asks for those is told. */
export const RELATIONS = [...EFFECTIVE, 'descendants'] as const;
export type Relation = (typeof RELATIONS)[number];

/** Roles in the groups below one, those whose members the caller may know. */
const belowGroup = (ctx: Context, groupId: number) =>
  db
    .selectFrom('group_members as m')
    .innerJoin('namespaces as n', 'n.id', 'm.namespace_id')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .where(isAtOrBelow('n', groupId))
    .where('n.id', '<>', groupId)
    .where(unexpired('m', today(ctx)))
    .where(knownMembersCondition(ctx))
    .select([...ROLE, constant<number>(-1).as('nearness')]);

// oxlint-disable-next-line typescript/no-explicit-any -- whichever tables it comes from
type Roles<Row = NearRole> = SelectQueryBuilder<any, any, Row>;

/** Everybody with a role, each once with the highest one; of equal ones the nearest: direct, inherited, shared, below. */
function effective(ctx: Context, source: Container, relations: readonly Relation[]) {
  const above = source.namespaceIds.filter((id) => source.kind === 'project' || id !== source.id);
  const rows: Roles[] = [];
  if (relations.includes('direct')) rows.push(direct(ctx, source));
  if (relations.includes('inherited')) rows.push(inGroups(ctx, anyOf(above, 'bigint')));
  if (relations.includes('shared')) {
    rows.push(intoGroups(ctx, source, anyOf(source.namespaceIds, 'bigint')));
    if (source.kind === 'project') rows.push(byShare(ctx, source));
  }
  // A project has nothing below it.
  if (relations.includes('descendants') && source.kind === 'group') rows.push(belowGroup(ctx, source.id));
  const [first = inGroups(ctx, anyOf<number>([], 'bigint')) as Roles, ...others] = rows;
  return db
    .selectFrom(others.reduce((all, more) => all.unionAll(more), first).as('x'))
    .distinctOn('x.user_id')
    .select(['x.id', 'x.user_id', 'x.access_level', 'x.created_by_id', 'x.expires_on', 'x.created_at'])
    .orderBy('x.user_id')
    .orderBy('x.access_level', 'desc')
    .orderBy('x.nearness', 'desc')
    .orderBy('x.id');
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
  where: readonly Expression<SqlBool>[] = [],
): List<MemberRecord> {
  const { inherited, relations = EFFECTIVE } = options;
  const rows: Roles<Role> = inherited ? effective(ctx, source, relations) : direct(ctx, source);
  const list: List<MemberRecord> = {
    matching: db.selectFrom(rows.as('m')).innerJoin('users as u', 'u.id', 'm.user_id'),
    select: selectMembers,
    order: [
      { key: 'id', expression: onMembers.ref('u.id'), direction: 'asc', type: 'integer', value: (member) => member.id },
    ],
  };
  return narrow(list, where);
}

/** @throws NotFound "404 Not found" when the user has no such role, or had one until it expired */
export async function findMember(
  ctx: Context,
  source: Container,
  userId: number,
  options: { inherited: boolean } = { inherited: false },
): Promise<MemberRecord> {
  const [member] = await readAll(ctx, membersOf(ctx, source, options, [onMembers('u.id', '=', userId)]));
  if (!member) throw new NotFound();
  return member;
}
