import { expressionBuilder, sql } from 'kysely';
import type { AliasableExpression, Expression, RawBuilder, SqlBool } from 'kysely';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { anyOf, jsonRows, arrayPosition } from '../../core/database/expressions.js';
import { containerColumns } from '../../core/operations/container.js';
import { mayReadIssuables } from '../../planning/issuables/assignable-users.js';
import type { Container, GroupContainer, ProjectContainer } from '../../tenancy/containers/container.js';
import type { ArchivesDatabase } from '../archives.entities.js';

/** For a user without the id by which the rest of the archive references users. */
export const HAS_NO_ID = 'is left out: it has no id that anything of the archive could name';

/** Lines of a relation's file: those behind the first number, up to the second one. */
interface LineRange {
  readonly after: number;
  readonly through: number;
}

/** Identifies the copied rows of an import, and its users on this instance. */
export interface RowsOf {
  /** The context of the user who requested the import. */
  readonly ctx: SignedInContext;
  readonly importId: number;
  /** The id that the group had; 0 for a project. */
  readonly source: number;
  /** The rows restored in this step; all if undefined. */
  readonly lines?: LineRange | undefined;
}

/** A group or project that is being restored. */
export interface Restoring<C extends Container = Container> extends RowsOf {
  readonly container: C;
}

export type RestoringGroup = Restoring<GroupContainer>;
export type RestoringProject = Restoring<ProjectContainer>;

/** Restores one relation of a group or project from the copied rows. */
export interface Restorer<R extends Restoring = Restoring> {
  readonly relation: string;
  /** The plan that it takes. */
  readonly plan?: 'premium';
  /** For projects: maximum number of rows per step, each step being a transaction; all in one step if undefined. */
  readonly step?: number;
  /** Done once before the first step, for all rows. */
  prepare?(restoring: R): Promise<void>;
  /**
   * Stores the id of the created record in each row's `made_id`, and any part that could not be restored in its
   * `problem`. Handles the rows of the step.
   */
  restore(restoring: R): Promise<void>;
  /** Done once behind the last step, for all rows. */
  finish?(restoring: R): Promise<void>;
}

/** The query builder for the tables that an import reads and fills. */
export const tables = ({ ctx }: { readonly ctx: Pick<Context, 'em'> }) => ctx.em.getKysely<ArchivesDatabase>();

/** Expressions about the copied rows of a statement, which names them `r`. */
export const r = expressionBuilder<{ r: ArchivesDatabase['archive_import_rows'] }, 'r'>();

/** JSON within a column of JSON, by the names that lead to it. */
export const jsonAt = (column: string, ...names: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join([sql.ref(column), ...names.map((name) => sql.lit(name))], sql` -> `)})`;

/** The same as text. */
export const textAt = (column: string, ...names: readonly string[]): RawBuilder<string | null> =>
  sql<string | null>`(${jsonAt(column, ...names.slice(0, -1))} ->> ${sql.lit(names.at(-1) as string)})`;

/** The same as an integer. */
export const integerAt = (column: string, ...names: readonly string[]) =>
  r.cast<number | null>(textAt(column, ...names), 'integer');

/** The same as an id. */
export const idAt = (column: string, ...names: readonly string[]) =>
  r.cast<number | null>(textAt(column, ...names), 'bigint');

/** The same as a flag; null where there is none. */
export const flagAt = (column: string, ...names: readonly string[]) =>
  r.cast<boolean | null>(textAt(column, ...names), 'boolean');

/** The same as a time; null where there is none. */
export const timeAt = (column: string, ...names: readonly string[]) =>
  r.cast<Date | null>(textAt(column, ...names), 'timestamptz');

/** Now in a statement. */
export const nowIn = (ctx: Pick<Context, 'clock'>) => r.cast<Date>(r.val(ctx.clock.now()), 'timestamptz');

/** An attribute of a row's data as text. */
export const attribute = (name: string): RawBuilder<string | null> => textAt('r.data', name);

/** The same of an object that the data holds. */
export const selectAttribute = (object: string, name: string): RawBuilder<string | null> =>
  textAt('r.data', object, name);

/** A flag in a row's data; false if missing. */
export const flag = (name: string) => r.fn.coalesce(r.cast<boolean>(attribute(name), 'boolean'), sql.lit(false));

/** A time in a row's data; the current time if missing. */
export const time = ({ ctx }: RowsOf, name: string) => r.fn.coalesce(timeAt('r.data', name), nowIn(ctx));

/** The copied rows of one relation, limited to those of this step if set. */
export const copiedRows = ({ importId, source, lines }: Omit<RowsOf, 'ctx'>, relation: string): Expression<SqlBool> =>
  r.and([
    r('r.import_id', '=', importId),
    r('r.source_group', '=', source),
    r('r.relation', '=', relation),
    ...(lines ? [r('r.line', '>', lines.after), r('r.line', '<=', lines.through)] : []),
  ]);

/** Rows `r` of one relation for which a record is created, in file order. */
export const restoredRows = (restoring: RowsOf, relation: string) =>
  tables(restoring)
    .selectFrom('archive_import_rows as r')
    .where(copiedRows(restoring, relation))
    .where('r.made_id', 'is not', null)
    .orderBy('r.line');

/** That user `u` may read what lies in a feature of the project. @param level of the feature */
export const mayRead = (restoring: RestoringProject, level: string): Expression<SqlBool> =>
  r.exists(
    tables(restoring)
      .selectFrom('projects as p')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .select('p.id')
      .where('p.id', '=', restoring.container.id)
      .where(mayReadIssuables(restoring.ctx, level)),
  );

/** The number of a row `r` among those that have the same values, in the order of their file. */
export const occurrence = (...values: readonly Expression<unknown>[]): RawBuilder<number> =>
  sql<number>`row_number() over (partition by ${sql.join(values)} order by ${r.ref('r.line')})`;

/** The user of this instance who matches the archive user with this id, or null. */
export const userWith = (restoring: RowsOf, id: Expression<unknown>): AliasableExpression<number | null> =>
  tables(restoring)
    .selectFrom('archive_import_users as iu')
    .select('iu.user_id')
    .where('iu.import_id', '=', restoring.importId)
    .where('iu.source_id', '=', id as Expression<number>)
    .$asScalar();

/** Values as rows of a statement, each column with its type. */
export const recordset = <Row extends object, const Alias extends string>(
  rows: readonly Row[],
  alias: Alias,
  types: Parameters<typeof jsonRows<Row>>[1],
) => jsonRows<Row>(JSON.stringify(rows), types).as(alias);

/** The elements of a list that a row has, as `e` with their `data` and their position `at`. @param list JSON; none for null */
export const arrayElements = (list: Expression<unknown>) =>
  sql<{ data: unknown; at: number }>`
    jsonb_array_elements(coalesce(nullif(${list}, 'null'), '[]')) with ordinality`.as<'e'>(sql`e(data, at)`);

/** Stores the problems of rows, by line. */
export async function recordLineProblems(
  restoring: RowsOf,
  relation: string,
  problems: readonly { line: number; problem: string }[],
): Promise<void> {
  if (problems.length === 0) return;
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .from(recordset(problems, 'x', { line: 'int', problem: 'text' }))
    .set((eb) => ({ problem: eb.ref('x.problem') }))
    .where(copiedRows(restoring, relation))
    .whereRef('r.line', '=', 'x.line')
    .execute();
}

/** The problem of a row with one more. */
export const appendProblem = (problem: Expression<string>) =>
  r.fn<string>('concat_ws', [sql.lit('; '), 'r.problem', problem]);

/** The next id of a table. */
export const nextId = (table: keyof ArchivesDatabase): RawBuilder<number> =>
  sql<number>`nextval(pg_get_serial_sequence(${sql.lit(table)}, 'id'))`;

/** Reserves for each of the rows the id of the record that will be created in a table. */
export async function reserveIds(restoring: RowsOf, relation: string, table: keyof ArchivesDatabase): Promise<void> {
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .set({ made_id: nextId(table) })
    .where(copiedRows(restoring, relation))
    .execute();
}

/** An id of this instance in a statement that selects it. */
export const idValue = (id: number) => r.cast<number>(r.val(id), 'bigint');

/** The id of the group or project in a statement that fills it. */
export const containerId = ({ container }: Restoring) => idValue(container.id);

/** Both container columns of rows that belong to the group or project. */
export function containerIds({ container }: Restoring) {
  const { project_id, namespace_id } = containerColumns(container);
  return [
    r.cast<number | null>(r.val(project_id), 'bigint').as('project_id'),
    r.cast<number | null>(r.val(namespace_id), 'bigint').as('namespace_id'),
  ] as const;
}

/** For `=`: the group (or the project's group) and its ancestors. */
export const anyNamespace = ({ container }: Restoring) => anyOf(container.namespaceIds, 'bigint');

/** How near one of those groups is: for a descending order. */
export const nearness = ({ container }: Restoring, namespaceId: Expression<number | null>) =>
  arrayPosition(container.namespaceIds, 'bigint', namespaceId);

/** The user of this instance who matches the user id in a JSON column, or null. */
export const userAt = (restoring: RowsOf, column: string, name: string): AliasableExpression<number | null> =>
  userWith(restoring, idAt(column, name));

/** The matching author of a row, or the importer. */
export const importedAuthor = (restoring: RowsOf): AliasableExpression<number> =>
  r.fn.coalesce(userAt(restoring, 'r.data', 'author_id'), idValue(restoring.ctx.caller.id));

/** The elements of a list in rows for which a record is created, each as `e` with its row `r`. */
export const selectElements = (restoring: RowsOf, relation: string, list: string) =>
  tables(restoring)
    .selectFrom('archive_import_rows as r')
    .crossJoin(arrayElements(jsonAt('r.data', list)))
    .where(copiedRows(restoring, relation))
    .where('r.made_id', 'is not', null);

/** A time of an element: its own value, otherwise the time its row was created. */
export const elementTime = ({ ctx }: RowsOf, name = 'created_at'): AliasableExpression<Date> =>
  r.fn.coalesce(timeAt('e.data', name), timeAt('r.data', 'created_at'), nowIn(ctx));

/** Signs that mean something in Markdown, or end a line. */
const SIGNS = '\\`*_{}[]()<>#+!|~@$%^&=/:;"?,\r\n\t';

/** A user name from another server as plain text without markup, at most 255 characters. */
export const plainName = (name: Expression<string | null>): RawBuilder<string> =>
  sql<string>`left(trim(translate(coalesce(${name}, ''), ${SIGNS}, '')), 255)`;
