import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { aboutNamespace } from '../../core/job-context.js';
import { byId, readAll } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { findGroup, group, groupCondition } from '../../tenancy/groups/group.finder.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { Epic } from './epic.entity.js';
import { epicPolicy } from './epic.policy.js';
import type { EpicRecord, ListedEpic } from './epic.record.js';
import { readableInGroup, visibleEpics } from './visible-epics.js';

const selected: Fragment = sql`${textColumns(Epic, 'i')}, r.path as "full_path", ${userSummaryColumns('a', 'author.')}`;

/** Epics `i` with their group `n` and its settings `gs`: what {@link visibleEpics} speaks of. */
const matching: Fragment = sql`epics i
  join namespaces n on n.id = i.namespace_id
  join group_settings gs on gs.namespace_id = n.id`;

/** What is shown beside them. */
const joins: Fragment = sql`
  join routes r on r.namespace_id = i.namespace_id
  left join users a on a.id = i.author_id`;

const listed = (where: readonly Fragment[]): TextList<ListedEpic> => ({
  select: selected,
  from: matching,
  beside: { alias: 'i', joins },
  where,
  order: [byId('i', 'desc')],
});

/** Epics of all groups that the caller may read. */
export const epicsOfAll = (ctx: Context, where: readonly Fragment[] = []): TextList<ListedEpic> =>
  listed([visibleEpics(ctx), ...where]);

/**
 * Epics of some groups.
 * @param groups ids of groups that the caller may read, as an array of SQL
 */
export const epicsOfGroups = (ctx: Context, groups: Fragment, where: readonly Fragment[] = []): TextList<ListedEpic> =>
  listed([sql`i.namespace_id = any(${groups})`, readableInGroup(ctx), ...where]);

/** Epics by their global ids, of those that the caller may read. */
export async function epicsById(ctx: Context, ids: readonly number[]): Promise<Map<number, ListedEpic>> {
  const found = await readAll(ctx, epicsOfAll(ctx, [sql`i.id = any(${ids}::bigint[])`]));
  return new Map(found.map((epic) => [epic.id, epic]));
}

type Row = Omit<EpicRecord, 'group'>;

/** An epic's row, whoever asks. `groupId` may be SQL. */
const loadEpic = (ctx: Context, groupId: number | Fragment, condition: Fragment): Promise<Row | null> =>
  ctx.queryOne<Row>(
    sql`select ${selected} from ${matching} ${joins} where i.namespace_id = ${groupId} and ${condition}`,
  );

/** Locks an epic for a change, so that what is found next is what is changed; its group first, as its deletion does it. */
async function lockEpic(ctx: Context, groupId: number, condition: Fragment): Promise<void> {
  await ctx.query(sql`
    select 1 from epics i join namespaces n on n.id = i.namespace_id
     where i.namespace_id = ${groupId} and ${condition} for key share of n for no key update of i`);
}

function admit(ctx: Context, found: GroupRecord, row: Row | null): EpicRecord {
  const epic = row && { ...row, group: found, seen_from: found.full_path };
  if (!epic || !epicPolicy.read_epic(ctx.caller, epic)) throw new NotFound();
  return epic;
}

const byIid = (iid: number): Fragment => (iid > 2 ** 31 - 1 ? sql`false` : sql`i.iid = ${iid}`);

/** An epic of a group by its number. @throws NotFound "404 Not found", also where the caller may not read it */
export async function findEpic(ctx: Context, found: GroupRecord, iid: number): Promise<EpicRecord> {
  return admit(ctx, found, await loadEpic(ctx, found.id, byIid(iid)));
}

/** The id of the group that an id or path names, as SQL: null for none. */
function groupIdSql(reference: string): Fragment {
  const condition = groupCondition(reference) ?? sql`false`;
  return sql`(select n.id from namespaces n join routes r on r.namespace_id = n.id where ${condition})`;
}

async function find(ctx: Context, id: string, condition: Fragment): Promise<EpicRecord> {
  if (!ctx.inTransaction) {
    // Group and epic by one round trip; what the caller may not see is dropped.
    const [found, row] = await Promise.all([findGroup(ctx, id), loadEpic(ctx, groupIdSql(id), condition)]);
    return admit(ctx, found, row);
  }
  const found = await findGroup(ctx, id);
  await lockEpic(ctx, found.id, condition);
  return admit(ctx, found, await loadEpic(ctx, found.id, condition));
}

/** The subject of `/groups/:id/epics/:epic_iid…`. For a write it is locked. */
export const epic: Subject<EpicRecord> = {
  noun: 'Epic',
  params: { ...group.params, epic_iid: integer().describe('Number of the epic in its group.') },
  find: (ctx, input: { id: string; epic_iid: number }) => find(ctx, input.id, byIid(input.epic_iid)),
  about: (record) => aboutNamespace(record.group),
};

/** The same by its global id, as paths of notes and events name it (discussions-and-notes.md section 1). */
export const epicById: Subject<EpicRecord> = {
  noun: 'Epic',
  params: { ...group.params, epic_id: integer().describe('Global id of the epic.') },
  find: (ctx, input: { id: string; epic_id: number }) => find(ctx, input.id, sql`i.id = ${input.epic_id}`),
  about: (record) => aboutNamespace(record.group),
};

/** The epic of a global id with its group, locked in a transaction. @throws NotFound "404 Not found" */
export async function findEpicById(ctx: Context, id: number): Promise<EpicRecord> {
  const place = await ctx.queryOne<{ namespace_id: number }>(
    sql`select i.namespace_id as "namespace_id" from epics i where i.id = ${id}`,
  );
  if (!place) throw new NotFound();
  try {
    return await find(ctx, String(place.namespace_id), sql`i.id = ${id}`);
  } catch (error) {
    // An epic of a group that nobody may see is as absent as one that is not there.
    throw error instanceof NotFound ? new NotFound() : error;
  }
}
