import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { MemberRecord } from './member.entity.js';
import { containerTable } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { anyIn, anyOf, asTable, constant } from '../../core/database/expressions.js';
import { prepareExpression } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import type { Container } from '../containers/container.js';
import { visibleMembersCondition } from '../groups/group.finder.js';
import { isAtOrBelow } from '../namespaces/below.js';
import { User } from '../users/user.entity.js';
import { USER_SUMMARY } from '../users/user.finder.js';
import { projectShareHolds, today, unexpired } from '../namespaces/access.js';

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
const onRoles = expressionBuilder<OfShares & { m: Role }, 'm' | 's'>();

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

/** The container whose members are queried, as values or expressions. */
interface Source {
  readonly kind: Container['kind'];
  readonly id: number | Expression<number>;
  /** Of the group itself and those above it, or above the project. */
  readonly namespace_ids: readonly number[] | Expression<readonly number[]>;
  /** Only those above it. */
  readonly above_ids: readonly number[] | Expression<readonly number[]>;
  readonly day: string | Expression<string>;
  /** Condition that the caller may read the members added by share `s`. */
  readonly isShareVisible: Expression<SqlBool>;
}

/** Direct members; who expired is none. */
function direct({ kind, id, day }: Pick<Source, 'kind' | 'id' | 'day'>) {
  const { table, column } = containerTable(kind, 'members');
  return db
    .selectFrom(`${table} as m`)
    .where(`m.${column}`, '=', id)
    .where(unexpired('m', day))
    .select([...ROLE, constant<number>(2).as('nearness')]);
}

/** Columns of a shared role, from the membership `m` and the share `s` that it results from. */
const sharedRole = [
  onRoles.ref('m.id').as('id'),
  onRoles.ref('m.user_id').as('user_id'),
  onRoles.fn<number>('least', ['m.access_level', 's.group_access']).as('access_level'),
  onRoles.ref('m.created_by_id').as('created_by_id'),
  onRoles.fn<string | null>('least', ['m.expires_on', 's.expires_on']).as('expires_on'),
  onRoles.ref('m.created_at').as('created_at'),
  constant<number>(0).as('nearness'),
];

/** Roles in groups themselves. @param ids any of these, as `=` compares it */
const inGroups = ({ day }: Source, ids: Expression<number>) =>
  onShares
    .selectFrom('group_members as m')
    .where('m.namespace_id', '=', ids)
    .where(unexpired('m', day))
    .select([...ROLE, constant<number>(1).as('nearness')]);

/** Whether the caller may read the members added by all shares: members of the container may. */
const seesShares = (ctx: Context, source: Container): boolean => ctx.caller.admin || source.access > 0;

/**
 * Condition that the caller may read the members added by a share `s`: callers who are not members need read access to
 * the members of the invited group.
 */
function isShareVisible(ctx: Context, source: Container): Expression<SqlBool> {
  if (seesShares(ctx, source)) return constant(true);
  const visibleGroup = onShares
    .selectFrom('namespaces as n')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select(onShares.lit(1).as('one'))
    .whereRef('n.id', '=', 's.group_id')
    .where(visibleMembersCondition(ctx));
  return onShares.exists(visibleGroup);
}

/** Roles that groups are shared with (see `access.ts`). */
const intoGroups = (source: Source, ids: Expression<number>) =>
  onShares
    .selectFrom('group_shares as s')
    .innerJoin('group_members as m', 'm.namespace_id', 's.group_id')
    .where('s.namespace_id', '=', ids)
    .where('m.access_level', '>=', 10)
    .where(unexpired('s', source.day))
    .where(unexpired('m', source.day))
    .where(source.isShareVisible)
    .select(sharedRole);

/** Roles that shares of a project give. */
function byShare(source: Source) {
  const above = anyIn(onShares.ref('invited.traversal_ids'));
  return db
    .selectFrom('project_shares as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .innerJoin('namespaces as invited', 'invited.id', 's.group_id')
    .innerJoinLateral(inGroups(source, above).unionAll(intoGroups(source, above)).as('m'), (join) => join.onTrue())
    .where('s.project_id', '=', source.id)
    .where('m.access_level', '>=', 10)
    .where(projectShareHolds('s', 'p', source.day))
    .where(source.isShareVisible)
    .select(sharedRole);
}

/** How a user gets a role: directly, from an ancestor group, or through an invited group. */
const EFFECTIVE = ['direct', 'inherited', 'shared'] as const;
/** Also roles in descendant groups, which grant none here; included only on request. */
export const RELATIONS = [...EFFECTIVE, 'descendants'] as const;
export type Relation = (typeof RELATIONS)[number];

/** Roles in the descendant groups whose members the caller may read. */
const belowGroup = (ctx: Context, groupId: number) =>
  db
    .selectFrom('group_members as m')
    .innerJoin('namespaces as n', 'n.id', 'm.namespace_id')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .where(isAtOrBelow('n', groupId))
    .where('n.id', '<>', groupId)
    .where(unexpired('m', today(ctx)))
    .where(visibleMembersCondition(ctx))
    .select([...ROLE, constant<number>(-1).as('nearness')]);

// oxlint-disable-next-line typescript/no-explicit-any -- whichever tables it comes from
type Roles<Row = NearRole> = SelectQueryBuilder<any, any, Row>;

/**
 * All users with a role, once each with the highest one; ties resolve to the nearest: direct, inherited, shared, below.
 * @param below roles in the descendant groups, if requested
 */
function effective(source: Source, relations: readonly Relation[], below?: Roles) {
  const rows: Roles[] = below ? [below] : [];
  if (relations.includes('direct')) rows.push(direct(source));
  if (relations.includes('inherited')) rows.push(inGroups(source, anyOf(source.above_ids, 'bigint')));
  if (relations.includes('shared')) {
    rows.push(intoGroups(source, anyOf(source.namespace_ids, 'bigint')));
    if (source.kind === 'project') rows.push(byShare(source));
  }
  const [first = inGroups(source, anyOf<number>([], 'bigint')) as Roles, ...others] = rows;
  return db
    .selectFrom(others.reduce((all, more) => all.unionAll(more), first).as('x'))
    .distinctOn('x.user_id')
    .select(['x.id', 'x.user_id', 'x.access_level', 'x.created_by_id', 'x.expires_on', 'x.created_at'])
    .orderBy('x.user_id')
    .orderBy('x.access_level', 'desc')
    .orderBy('x.nearness', 'desc')
    .orderBy('x.id');
}

interface SourceValues {
  readonly id: number;
  readonly namespace_ids: readonly number[];
  readonly above_ids: readonly number[];
  readonly day: string;
}

const getValues = (ctx: Context, { kind, id, namespaceIds }: Container): SourceValues => ({
  id,
  namespace_ids: namespaceIds,
  above_ids: namespaceIds.filter((one) => kind === 'project' || one !== id),
  day: today(ctx),
});

const prepareEffective = (kind: Container['kind']) =>
  prepareExpression<SourceValues, Role>(({ id, namespace_ids: ids, above_ids: above, day }) => {
    const source = { kind, id, namespace_ids: ids, above_ids: above, day, isShareVisible: constant(true) };
    return asTable(effective(source, EFFECTIVE));
  });

/** The most frequent query, built once: all users with a role, for callers who may read all of them. */
const effectiveOf = { project: prepareEffective('project'), group: prepareEffective('group') };

function getRoles(ctx: Context, source: Container, relations: readonly Relation[]) {
  const values = getValues(ctx, source);
  if (relations === EFFECTIVE && seesShares(ctx, source)) return effectiveOf[source.kind](values);
  // A project has nothing below it.
  const below =
    relations.includes('descendants') && source.kind === 'group' ? (belowGroup(ctx, source.id) as Roles) : undefined;
  const sourceValues = { ...values, kind: source.kind, isShareVisible: isShareVisible(ctx, source) };
  return effective(sourceValues, relations, below);
}

/**
 * Members of a project or group, by user id; filters on `m` and `u` are added to `where`.
 * @param options.inherited all users with a role, or only direct members
 * @param options.relations limits these users to roles by one of the relations; at least one. Defaults to all but
 * `descendants`
 */
export function findMembers(
  ctx: Context,
  source: Container,
  options: { inherited: boolean; relations?: readonly Relation[] },
  where: readonly Expression<SqlBool>[] = [],
): List<MemberRecord> {
  const { inherited, relations = EFFECTIVE } = options;
  const rows = inherited
    ? getRoles(ctx, source, relations)
    : direct({ kind: source.kind, id: source.id, day: today(ctx) });
  const list: List<MemberRecord> = {
    matching: db.selectFrom((rows as Roles<Role>).as('m')).innerJoin('users as u', 'u.id', 'm.user_id'),
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
  const [member] = await readAll(ctx, findMembers(ctx, source, options, [onMembers('u.id', '=', userId)]));
  if (!member) throw new NotFound();
  return member;
}
