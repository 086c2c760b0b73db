import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { anyOf, sameText, scalar } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { aboutNamespace } from '../../core/values/job-context.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { findGroup, group, groupsById } from '../../tenancy/groups/group.finder.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Epic } from './epic.entity.js';
import { epicPolicy } from './epic.policy.js';
import type { EpicRecord, ListedEpic } from './epic.entity.js';
import type { OfEpics } from './visible-epics.js';
import { onEpics, readableInGroup, visibleEpics } from './visible-epics.js';

type EpicQuery = SelectQueryBuilder<OfEpics, 'i', object>;

/** Selects epics `i` as lists have them. */
const selectEpics = (query: EpicQuery) =>
  query
    .innerJoin('routes as r', 'r.namespace_id', 'i.namespace_id')
    .leftJoin('users as a', 'a.id', 'i.author_id')
    .select([
      ...columns(Epic, 'i'),
      'r.path as full_path',
      ...nestedOrNull('author', User, 'a', { only: USER_SUMMARY }),
    ]);

/** Epics `i` with their group `n` and its settings `gs`: what {@link visibleEpics} speaks of. */
const matching = expressionBuilder<OfEpics>()
  .selectFrom('epics as i')
  .innerJoin('namespaces as n', 'n.id', 'i.namespace_id')
  .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id');

function listed(where: readonly Expression<SqlBool>[]): List<ListedEpic> {
  const order = [byId<ListedEpic>('i', 'desc')];
  return narrow<List<ListedEpic>>({ matching, select: selectEpics, pageFirst: 'i', order }, where);
}

/** Epics of all groups that the caller may read. */
export const epicsOfAll = (ctx: Context, where: readonly Expression<SqlBool>[] = []): List<ListedEpic> =>
  listed([visibleEpics(ctx), ...where]);

/**
 * Epics of some groups.
 * @param groups any of the ids of groups that the caller may read
 */
export const epicsOfGroups = (
  ctx: Context,
  groups: Expression<number>,
  where: readonly Expression<SqlBool>[] = [],
): List<ListedEpic> => listed([onEpics('i.namespace_id', '=', groups), readableInGroup(ctx), ...where]);

/** Epics by their global ids, of those that the caller may read. */
export async function epicsById(ctx: Context, ids: readonly number[]): Promise<Map<number, ListedEpic>> {
  const found = await readAll(ctx, epicsOfAll(ctx, [onEpics('i.id', '=', anyOf(ids, 'bigint'))]));
  return new Map(found.map((epic) => [epic.id, epic]));
}

type Row = Omit<EpicRecord, 'group'>;

/** The id of the group of a full path. */
const groupIdOfPath = (path: Expression<string>): Expression<number> =>
  scalar(
    expressionBuilder<PlanningDatabase>()
      .selectFrom('namespaces as n')
      .innerJoin('routes as named', 'named.namespace_id', 'n.id')
      .select('n.id')
      .where((eb) => sameText(eb.ref('named.path'), path)),
  );

/** Which epic of a group, by its global id or by its number. */
type EpicKey = { readonly id: number } | { readonly iid: number };

interface Values {
  readonly of: number;
  /** The id of the group, or its path. */
  readonly group: number | string;
}

const getColumn = (by: 'id' | 'iid') => `i.${by}` as const;
/** Expressions for the group id. */
const groupIdBy = { id: (id: Expression<never>) => id, path: groupIdOfPath };

/** An epic's row, without a permission check. */
const loadBy = (by: 'id' | 'iid', group: 'id' | 'path') =>
  prepareQuery<OfEpics, Values, Row>((db, values) =>
    selectEpics(db.selectFrom('epics as i'))
      .where('i.namespace_id', '=', groupIdBy[group](values.group as Expression<never>))
      .where(getColumn(by), '=', values.of),
  );
const load = {
  id: { id: loadBy('id', 'id'), path: loadBy('id', 'path') },
  iid: { id: loadBy('iid', 'id'), path: loadBy('iid', 'path') },
};

const MAX_IID = 2 ** 31 - 1;

/** @param group its id, or a path */
async function loadEpic(ctx: Context, group: number | string, key: EpicKey): Promise<Row | null> {
  const by = 'id' in key ? 'id' : 'iid';
  const of = 'id' in key ? key.id : key.iid;
  if (by === 'iid' && of > MAX_IID) return null;
  const [row] = await load[by][typeof group === 'number' ? 'id' : 'path'](ctx, { of, group });
  return row ?? null;
}

/** Locks an epic before it is read for a change. Locks its group first, in the same order as group deletion. */
async function lockEpic(ctx: Context, groupId: number, key: EpicKey): Promise<void> {
  if ('iid' in key && key.iid > MAX_IID) return;
  await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('epics as i')
    .innerJoin('namespaces as n', 'n.id', 'i.namespace_id')
    .select('i.id')
    .where('i.namespace_id', '=', groupId)
    .where((eb) => ('id' in key ? eb('i.id', '=', key.id) : eb('i.iid', '=', key.iid)))
    .forKeyShare('n')
    .forNoKeyUpdate('i')
    .execute();
}

function admit(ctx: Context, found: GroupRecord, row: Row | null): EpicRecord {
  const epic = row && { ...row, group: found, reference_base: found.full_path };
  if (!epic || !epicPolicy.read_epic(ctx.caller, epic)) throw new NotFound();
  return epic;
}

/** An epic of a group by its number. @throws NotFound "404 Not found", also where the caller may not read it */
export async function findEpic(ctx: Context, found: GroupRecord, iid: number): Promise<EpicRecord> {
  return admit(ctx, found, await loadEpic(ctx, found.id, { iid }));
}

/** What names a group in a statement: its id, or a path. */
const groupReference = (reference: string): number | string =>
  /^\d{1,15}$/.test(reference) ? Number(reference) : reference;

async function find(ctx: Context, id: string, key: EpicKey): Promise<EpicRecord> {
  if (!ctx.inTransaction) {
    // Loads the group and the epic concurrently; a result that the caller cannot see is dropped.
    const [found, row] = await Promise.all([findGroup(ctx, id), loadEpic(ctx, groupReference(id), key)]);
    return admit(ctx, found, row);
  }
  const found = await findGroup(ctx, id);
  await lockEpic(ctx, found.id, key);
  return admit(ctx, found, await loadEpic(ctx, found.id, key));
}

/** The resource of `/groups/:id/epics/:epic_iid…`. For a write it is locked. */
export const epic: Resource<EpicRecord> = {
  noun: 'Epic',
  params: { ...group.params, epic_iid: integer().describe('Number of the epic in its group.') },
  find: (ctx, input: { id: string; epic_iid: number }) => find(ctx, input.id, { iid: input.epic_iid }),
  about: (record) => aboutNamespace(record.group),
};

/** The same by its global id, as paths of notes and events name it (discussions-and-notes.md section 1). */
export const epicById: Resource<EpicRecord> = {
  noun: 'Epic',
  params: { ...group.params, epic_id: integer().describe('Global ID of the epic.') },
  find: (ctx, input: { id: string; epic_id: number }) => find(ctx, input.id, { id: input.epic_id }),
  about: (record) => aboutNamespace(record.group),
};

const findNamespaceId = prepareQuery<PlanningDatabase, { id: number }, Pick<Epic, 'namespace_id'>>((db, { id }) =>
  db.selectFrom('epics as i').select('i.namespace_id').where('i.id', '=', id),
);

/** The epic of a global id with its group, locked in a transaction. @throws NotFound "404 Not found" */
export async function findEpicById(ctx: Context, id: number): Promise<EpicRecord> {
  const [row] = await findNamespaceId(ctx, { id });
  if (!row) throw new NotFound();
  try {
    return await find(ctx, String(row.namespace_id), { id });
  } catch (error) {
    // Responds in the same way for an epic of an invisible group as for a missing epic.
    throw error instanceof NotFound ? new NotFound() : error;
  }
}

/**
 * The epic with a global id and its group, without a lock: for operations that read another epic than the one they
 * change and must not wait for changes to it. Null if the caller cannot read it.
 */
export async function readableEpic(ctx: Context, id: number): Promise<EpicRecord | null> {
  const found = (await epicsById(ctx, [id])).get(id);
  if (!found) return null;
  const group = (await groupsById(ctx, [found.namespace_id])).get(found.namespace_id);
  return group ? { ...found, group } : null;
}
