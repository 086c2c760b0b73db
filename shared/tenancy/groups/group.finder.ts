import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { aboutNamespace } from '../../core/values/job-context.js';
import { GroupSettings } from './group.entity.js';
import type { GroupRecord } from './group.entity.js';
import type { Caller } from '../../core/context/callers.js';
import { getUserId } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import { anyOf, constant, likeLiteral, sameText } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { asQueryOf } from '../../core/database/tables.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List, OrderStep } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { aboveMembership, memberOfGroup, namespaceAccess, today } from '../namespaces/access.js';
import { forCaller } from '../namespaces/for-caller.js';
import type { Viewer, Who } from '../namespaces/for-caller.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { groupPolicy } from './group.policy.js';

/** Groups `n` with their settings `gs` and routes `r`, as conditions name them. */
export type OfGroups = Aliased<TenancyDatabase, { n: 'namespaces'; gs: 'group_settings'; r: 'routes' }>;
type Tables = 'gs' | 'n' | 'r';

/** Builds conditions on groups `n` with their settings `gs` and routes `r`. */
export const onGroups = expressionBuilder<OfGroups, Tables>();

const joinGroupTables = <O>(query: SelectQueryBuilder<OfGroups, 'n', O>) =>
  asQueryOf<OfGroups, Tables>()(
    query
      .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
      .innerJoin('routes as r', 'r.namespace_id', 'n.id'),
  );

/** Selected columns of a group's record, with a user's access. */
const selectGroups = (userId: number | Expression<number>, day: string | Expression<string>) => [
  ...columns(Namespace, 'n'),
  ...nested('settings', GroupSettings, 'gs'),
  onGroups.ref('r.path').as('full_path'),
  onGroups.ref('r.name').as('full_name'),
  namespaceAccess(userId, day).as('access'),
  (aboveMembership(userId, day) as AliasableExpression<boolean>).as('below'),
];

/** Condition that the name or path of group `n` contains a text. */
export function groupMatchesName(text: string): Expression<SqlBool> {
  const pattern = `%${likeLiteral(text)}%`;
  return onGroups.or([onGroups('n.name', 'ilike', pattern), onGroups('n.path', 'ilike', pattern)]);
}

/** That namespace `n` is a group. */
const isGroup = onGroups('n.kind', '=', constant('group'));

const hasPath = (path: string | Expression<string>) => sameText(onGroups.ref('r.path'), path);

/**
 * Finds a group by id or full path if the caller may read it.
 * @param reference digits are an id; anything else is a full path, case-insensitive
 * @throws NotFound "404 Group Not Found", also for groups hidden from the caller and for personal namespaces
 */
export async function findGroup(ctx: Context<Caller>, reference: string | number): Promise<GroupRecord> {
  const idOrPath = String(reference);
  if (!/^\d+$/.test(idOrPath)) return findGroupByPath(ctx, idOrPath);
  // Longer numbers are beyond any id and would not fit the column.
  return admit(ctx, idOrPath.length > 15 ? null : await loadBy(ctx, 'id', Number(idOrPath)));
}

/** The group of that id or full path, as a condition on `n` and its route `r`; null for what can be neither. */
export function groupCondition(reference: string | number): Expression<SqlBool> | null {
  const idOrPath = String(reference);
  if (!/^\d+$/.test(idOrPath)) return hasPath(idOrPath);
  return idOrPath.length > 15 ? null : onGroups('n.id', '=', Number(idOrPath));
}

/** The group of a full path, digits included, if the caller may read it. @throws NotFound "404 Group Not Found" */
export const findGroupByPath = async (ctx: Context<Caller>, fullPath: string): Promise<GroupRecord> =>
  admit(ctx, await loadBy(ctx, 'path', fullPath));

function admit(ctx: Context<Caller>, group: GroupRecord | null): GroupRecord {
  if (!group || !groupPolicy.read_group(ctx.caller, group)) throw new NotFound('Group').hiding(group !== null);
  return group;
}

interface Lookup extends Who {
  readonly reference: number | string;
}

/** What names a group. */
const references = {
  id: (id: Expression<never>) => onGroups('n.id', '=', id),
  path: (path: Expression<never>) => hasPath(path),
};

const preparedBy = (by: keyof typeof references, anonymous: boolean) =>
  prepareQuery<OfGroups, Lookup, GroupRecord>((db, { reference, userId, day }) =>
    joinGroupTables(db.selectFrom('namespaces as n'))
      .where(references[by](reference as Expression<never>))
      .where(isGroup)
      .select(selectGroups(anonymous ? 0 : userId, day)),
  );

/** For callers that may have roles, and for those that have none. */
const preparedFor = (by: keyof typeof references) => ({ member: preparedBy(by, false), nobody: preparedBy(by, true) });
const prepared = { id: preparedFor('id'), path: preparedFor('path') };

async function loadBy(ctx: Context<Caller>, by: keyof typeof references, reference: number | string) {
  const userId = getUserId(ctx.caller);
  const select = prepared[by][userId === 0 ? 'nobody' : 'member'];
  return (await select(ctx, { reference, userId, day: today(ctx) }))[0] ?? null;
}

/** Many groups by id, those that the caller may read. */
export async function groupsById(ctx: Context, ids: readonly number[]): Promise<Map<number, GroupRecord>> {
  const found = await readAll(ctx, visibleGroups(ctx, [onGroups('n.id', '=', anyOf(ids, 'bigint'))]));
  return new Map(found.map((one) => [one.id, one]));
}

/** The resource of every `/groups/:id/…` operation. */
export const group: Resource<GroupRecord, Caller> = {
  noun: 'Group',
  params: {
    id: text()
      .describe('ID, or URL-encoded full path, of the group.')
      .meta({ examples: ['engineering'] }),
  },
  find: (ctx, input: { id: string }) => findGroup(ctx, input.id),
  about: aboutNamespace,
};

const isOwn = ({ anonymous, userId, day }: Viewer): Expression<SqlBool> =>
  anonymous ? constant(false) : onGroups.or([memberOfGroup(userId, day), aboveMembership(userId, day)]);

/** Groups that the caller belongs to: joined, below or above a joined group, or above a joined project. */
export const ownGroupsCondition = forCaller(isOwn);

/** Groups that are there, and open to the viewer or theirs by this condition. */
function isReachable({ admin, anonymous, external }: Viewer, own: Expression<SqlBool>): Expression<SqlBool> {
  const there = onGroups.and([isGroup, onGroups('gs.removal_started_at', 'is', null)]);
  if (admin) return there;
  const isPublic = onGroups('n.visibility', '=', constant('public'));
  if (anonymous) return onGroups.and([there, isPublic]);
  const open = external ? isPublic : onGroups('n.visibility', 'in', [constant('public'), constant('internal')]);
  return onGroups.and([there, onGroups.or([open, own])]);
}

/** Groups `n` with settings `gs` that a viewer may read. */
export function isVisibleGroup(viewer: Viewer): Expression<SqlBool> {
  return isReachable(viewer, isOwn(viewer));
}

/** Groups that the caller may read: the same rule as `read_group`, as a condition on `n` and its settings `gs`. */
export const visibleGroupsCondition = forCaller(isVisibleGroup);

/** Groups whose members the caller may read: matches `read_group_member` for readable groups, on `n` and `gs`. */
export const visibleMembersCondition = forCaller((viewer) =>
  isReachable(viewer, viewer.anonymous ? constant(false) : memberOfGroup(viewer.userId, viewer.day)),
);

const byName: OrderStep<GroupRecord> = {
  key: 'name',
  expression: onGroups.ref('n.name'),
  direction: 'asc',
  type: 'text',
  value: (one) => one.name,
};

/** Groups matching conditions on `n`, `gs` and `r`, regardless of who may read them. */
export function groupsWhere(ctx: Context, where: readonly Expression<SqlBool>[]): List<GroupRecord> {
  const list: List<GroupRecord> = {
    matching: joinGroupTables(expressionBuilder<OfGroups>().selectFrom('namespaces as n')),
    select: (query: SelectQueryBuilder<OfGroups, Tables, object>) =>
      query.select(selectGroups(ctx.caller.id, today(ctx))),
    order: [byName, byId('n', 'asc')],
  };
  return narrow(list, where);
}

/** Groups that the caller may read, by name; filters are added to `where`. */
export const visibleGroups = (ctx: Context, where: readonly Expression<SqlBool>[] = []): List<GroupRecord> =>
  groupsWhere(ctx, [visibleGroupsCondition(ctx), ...where]);
