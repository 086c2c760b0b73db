import { expressionBuilder, sql } from 'kysely';
import type { Expression, RawBuilder, SqlBool } from 'kysely';
import type { Context, SignedInContext } from '../../core/context.js';
import { empty, sql as text } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { Container, GroupContainer, ProjectContainer } from '../../tenancy/containers/container.js';
import type { ArchivesDatabase } from '../archives.entities.js';

/** Of somebody who is told of without the id by which all else names them. */
export const NO_ID = 'is left out: it has no id that anything of the archive could name';

/** Lines of a relation's file: those behind the first number, up to the second one. */
interface LineRange {
  readonly after: number;
  readonly through: number;
}

/** What it takes to name the copied rows, and whoever here wrote them. */
export interface RowsOf {
  /** Of whoever asked for the import. */
  readonly ctx: SignedInContext;
  readonly importId: number;
  /** The id that the group had; 0 for a project. */
  readonly source: number;
  /** The rows that are restored in this step; all where it says nothing. */
  readonly lines?: LineRange | undefined;
}

/** A group or project that is being restored. */
export interface Restoring<C extends Container = Container> extends RowsOf {
  readonly container: C;
}

export type RestoringGroup = Restoring<GroupContainer>;
export type RestoringProject = Restoring<ProjectContainer>;

/** Brings one relation of a group or project back from the copied rows. */
export interface Restorer<R extends Restoring = Restoring> {
  readonly relation: string;
  /** The plan that it takes. */
  readonly plan?: 'premium';
  /** Of projects: rows of one step at most, each step a transaction; all in one where it says nothing. */
  readonly step?: number;
  /** Done once before the first step, for all rows. */
  prepare?(restoring: R): Promise<void>;
  /**
   * Writes what was made of each row into its `made_id`, and into its `problem` what of it could not be restored. The
   * rows are those of the step.
   */
  restore(restoring: R): Promise<void>;
  /** Done once behind the last step, for all rows. */
  finish?(restoring: R): Promise<void>;
}

/** The query builder for the tables that an import reads and fills. */
export const tables = ({ ctx }: { readonly ctx: Pick<Context, 'em'> }) => ctx.em.getKysely<ArchivesDatabase>();

/** Expressions about the copied rows of a statement, which names them `r`. */
export const r = expressionBuilder<{ r: ArchivesDatabase['archive_import_rows'] }, 'r'>();

/** An attribute of a row's data as text. */
export const attribute = (name: string): RawBuilder<string | null> =>
  sql<string | null>`(${sql.ref('r.data')} ->> ${sql.lit(name)})`;

/** The same of an object that the data holds. */
export const attributeOf = (object: string, name: string): RawBuilder<string | null> =>
  sql<string | null>`(${sql.ref('r.data')} -> ${sql.lit(object)} ->> ${sql.lit(name)})`;

/** A flag of a row's data; false where it has none. */
export const flag = (name: string) => r.fn.coalesce(r.cast<boolean>(attribute(name), 'boolean'), sql.lit(false));

/** A time of a row's data; now where it has none. */
export const time = ({ ctx }: RowsOf, name: string) =>
  r.fn.coalesce(r.cast<Date>(attribute(name), 'timestamptz'), r.cast<Date>(r.val(ctx.clock.now()), 'timestamptz'));

/** The copied rows of one relation, or those of this step. */
export const copiedRows = ({ importId, source, lines }: Omit<RowsOf, 'ctx'>, relation: string): Expression<SqlBool> =>
  r.and([
    r('r.import_id', '=', importId),
    r('r.source_group', '=', source),
    r('r.relation', '=', relation),
    ...(lines ? [r('r.line', '>', lines.after), r('r.line', '<=', lines.through)] : []),
  ]);

/** Rows `r` of one relation that something is made of, in the order of their file. */
export const madeRows = (restoring: RowsOf, relation: string) =>
  tables(restoring)
    .selectFrom('archive_import_rows as r')
    .where(copiedRows(restoring, relation))
    .where('r.made_id', 'is not', null)
    .orderBy('r.line');

/** Whoever here is the user of the archive with this id, or null. */
export const userWith = (restoring: RowsOf, id: Expression<unknown>): Expression<number | null> =>
  tables(restoring)
    .selectFrom('archive_import_users as iu')
    .select('iu.user_id')
    .where('iu.import_id', '=', restoring.importId)
    .where('iu.source_id', '=', id as Expression<number>)
    .$asScalar();

/** Values as rows of a statement, each column with its type. */
export const recordset = <Row, const Alias extends string>(
  rows: readonly Row[],
  alias: Alias,
  columns: Readonly<Record<keyof Row & string, 'integer' | 'bigint' | 'text' | 'jsonb'>>,
) =>
  sql<Row>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<Alias>(
    sql`${sql.ref(alias)}(${sql.join(
      Object.entries<string>(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`),
    )})`,
  );

/** The elements of a list that a row has, as `e` with their `data` and their place `at`. @param list JSON; none for null */
export const arrayElements = (list: Expression<unknown>) =>
  sql<{ data: unknown; at: number }>`
    jsonb_array_elements(coalesce(nullif(${list}, 'null'), '[]')) with ordinality`.as<'e'>(sql`e(data, at)`);

/** Writes down what is wrong with rows, by their lines. */
export async function noteLines(
  restoring: RowsOf,
  relation: string,
  problems: readonly { line: number; problem: string }[],
): Promise<void> {
  if (problems.length === 0) return;
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .from(recordset(problems, 'x', { line: 'integer', problem: 'text' }))
    .set((eb) => ({ problem: eb.ref('x.problem') }))
    .where(copiedRows(restoring, relation))
    .whereRef('r.line', '=', 'x.line')
    .execute();
}

/** The next id of a table. */
export const nextId = (table: keyof ArchivesDatabase): RawBuilder<number> =>
  sql<number>`nextval(pg_get_serial_sequence(${sql.lit(table)}, 'id'))`;

/** Gives each of the rows the id that what is made of it will have in a table. */
export async function reserveIds(restoring: RowsOf, relation: string, table: keyof ArchivesDatabase): Promise<void> {
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ made_id: nextId(table) })
    .where(copiedRows(restoring, relation))
    .execute();
}

/*
 * The same for statements of text.
 */

/** The copied rows of one relation of a group, or those of this step, as a condition on `alias`. */
export const rowsOfRelation = (
  { importId, source, lines }: Omit<RowsOf, 'ctx'>,
  relation: string,
  alias: Fragment = text`r`,
): Fragment => text`
  ${alias}.import_id = ${importId} and ${alias}.source_group = ${source} and ${alias}.relation = ${relation}
  ${lines ? text`and ${alias}.line > ${lines.after} and ${alias}.line <= ${lines.through}` : empty}`;

/** A time of a row's data; now where it has none. */
export const timeOf = ({ ctx }: RowsOf, name: string): Fragment =>
  text`coalesce((r.data ->> ${name})::timestamptz, ${ctx.clock.now()}::timestamptz)`;

/** Whoever here is the user of a row's data that `value` names, or null. */
export const userOf = ({ importId }: RowsOf, value: Fragment): Fragment => text`
  (select iu.user_id from archive_import_users iu where iu.import_id = ${importId} and iu.source_id = ${value})`;

/** Whoever here is that user, or the importer. */
export const importedAuthor = (restoring: RowsOf, value: Fragment): Fragment =>
  text`coalesce(${userOf(restoring, value)}, ${restoring.ctx.caller.id}::bigint)`;

/** The elements of a list of each row's data, as `e`, of what was made. */
export const elementsOf = (restoring: RowsOf, relation: string, list: string): Fragment => text`
  archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> ${list}, 'null'), '[]')) with ordinality as e (data, at)
  where ${rowsOfRelation(restoring, relation)} and r.made_id is not null`;

/** When something of an element happened: as it says, else when its row was made. */
export const elementTime = ({ ctx }: RowsOf, name = 'created_at'): Fragment => text`
  coalesce((e.data ->> ${name})::timestamptz, (r.data ->> 'created_at')::timestamptz, ${ctx.clock.now()}::timestamptz)`;

/** Signs that mean something in Markdown, or end a line. */
const SIGNS = '\\`*_{}[]()<>#+!|~@$%^&=/:;"?,\r\n\t';

/** The name of somebody on another server as words that say nothing else, of at most 255 characters. */
export const plainName = (name: Fragment): Fragment =>
  text`left(trim(translate(coalesce(${name}, ''), ${SIGNS}, '')), 255)`;
