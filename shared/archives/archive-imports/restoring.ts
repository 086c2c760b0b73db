import type { SignedInContext } from '../../core/context.js';
import { empty, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';

/** Of somebody who is told of without the id by which all else names them. */
export const NO_ID = 'is left out: it has no id that anything of the archive could name';

/** A group that is being restored, in one transaction of its own. */
export interface Restoring {
  /** Of whoever asked for the import. */
  readonly ctx: SignedInContext;
  readonly importId: number;
  /** The id that the group had. */
  readonly source: number;
  readonly group: { readonly id: number; readonly full_path: string; readonly traversal_ids: readonly number[] };
}

/** Lines of a relation's file: those behind the first number, up to the second one. */
interface LineRange {
  readonly after: number;
  readonly through: number;
}

/** What it takes to name the copied rows, and whoever here wrote them. */
export interface RowsOf extends Pick<Restoring, 'ctx' | 'importId' | 'source'> {
  /** The rows that are restored in this step; all where it says nothing. */
  readonly lines?: LineRange | undefined;
}

/** Brings one relation of a group back from the copied rows. */
export interface Restorer {
  readonly relation: string;
  /** The plan that it takes. */
  readonly plan?: 'premium';
  /** Writes what was made of each row into its `made_id`. */
  restore(restoring: Restoring): Promise<void>;
}

/** The copied rows of one relation of a group, or those of this step, as a condition on `alias`. */
export const rowsOfRelation = (
  { importId, source, lines }: Pick<RowsOf, 'importId' | 'source' | 'lines'>,
  relation: string,
  alias: Sql = sql`r`,
): Sql => sql`
  ${alias}.import_id = ${importId} and ${alias}.source_group = ${source} and ${alias}.relation = ${relation}
  ${lines ? sql`and ${alias}.line > ${lines.after} and ${alias}.line <= ${lines.through}` : empty}`;

/** Of a row `r`: something was made of it, and nothing that was there taken in its place. */
export const isRestored: Sql = sql`(r.made_id is not null and not r.reused)`;

/** Ids of the group and of those above it, as an array. */
export const placesOf = ({ group }: Restoring): Sql => sql`${[...group.traversal_ids]}::bigint[]`;

/**
 * The label or milestone of a title that is in force in the group: of several the nearest. Each is found by the index of
 * titles, since groups above may have very many.
 */
export const nearestInForce = (restoring: Restoring, table: Sql, title: Sql): Sql => sql`
  (select x.id from ${table} x where x.namespace_id = any(${placesOf(restoring)}) and x.title = ${title}
    order by array_position(${placesOf(restoring)}, x.namespace_id) desc limit 1)`;

/** A time of a row's data; now where it has none. */
export const timeOf = ({ ctx }: RowsOf, name: string): Sql =>
  sql`coalesce((r.data ->> ${name})::timestamptz, ${ctx.clock.now()}::timestamptz)`;

/** Whoever here is the user of a row's data that `name` names, or null. */
export const userOf = ({ importId }: RowsOf, value: Sql): Sql => sql`
  (select iu.user_id from archive_import_users iu where iu.import_id = ${importId} and iu.source_id = ${value})`;

/** Whether the user of a row's data that `value` names is the importer, whose import matches nobody. */
export const isImporter = ({ importId }: RowsOf, value: Sql): Sql => sql`
  exists (select 1 from archive_import_users iu
           where iu.import_id = ${importId} and iu.source_id = ${value} and iu.user_id is null and iu.problem is null)`;

/**
 * Who wrote what: nothing is made of it, but those who are users here are counted, and of others it is told why they are
 * none.
 */
export async function restoreContributors(restoring: RowsOf): Promise<void> {
  const { ctx, importId } = restoring;
  const rows = rowsOfRelation(restoring, 'user_contributions');
  await ctx.query(sql`
    update archive_import_rows r
       set made_id = case when u.problem is null then coalesce(u.user_id, ${ctx.caller.id}::bigint) end, problem = u.problem
      from archive_import_users u
     where ${rows} and u.import_id = ${importId} and u.source_id = r.source_id`);
  await ctx.query(sql`update archive_import_rows r set problem = ${NO_ID} where ${rows} and r.source_id is null`);
}

/** Whoever here is that user, or the importer. */
export const importedAuthor = (restoring: RowsOf, value: Sql): Sql =>
  sql`coalesce(${userOf(restoring, value)}, ${restoring.ctx.caller.id}::bigint)`;

/**
 * Keeps the numbers of a group from being given out until the transaction ends.
 * @returns the last one
 */
export async function lockNumbers({ ctx, group }: Restoring, kind: 'epic' | 'milestone'): Promise<number> {
  const row = await ctx.queryOne<{ last_value: number }>(sql`
    insert into namespace_counters as c (namespace_id, kind, last_value) values (${group.id}, ${kind}, 0)
    on conflict (namespace_id, kind) do update set last_value = c.last_value returning c.last_value as "last_value"`);
  return row?.last_value ?? 0;
}

/**
 * Numbers for the rows of `rows` (columns `line` and `iid`): the own one where it is free, else the next ones behind
 * all others. Columns `line` and `number`.
 */
export const numbersFor = (rows: Sql, table: Sql, groupId: number, last: number): Sql => sql`
  (select k.line, case when k.kept then k.iid else
            greatest(${last}::bigint, max(k.iid) filter (where k.kept) over ()) +
              row_number() over (partition by k.kept order by k.line) end as number
     from (select s.line, s.iid, s.iid is not null and row_number() over (partition by s.iid order by s.line) = 1
                  and not exists (select 1 from ${table} t where t.namespace_id = ${groupId} and t.iid = s.iid) as kept
             from ${rows} s) k)`;

/** Writes down the last number that was given out. */
export async function keepNumbers({ ctx, group }: Restoring, kind: 'epic' | 'milestone', table: Sql): Promise<void> {
  await ctx.query(sql`
    update namespace_counters c
       set last_value = greatest(c.last_value, (select max(t.iid) from ${table} t where t.namespace_id = ${group.id}))
     where c.namespace_id = ${group.id} and c.kind = ${kind}`);
}
