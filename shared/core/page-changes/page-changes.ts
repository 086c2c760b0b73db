import { expressionBuilder, sql } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import { constant } from '../database/expressions.js';
import type { Queryable } from '../database/database.js';
import { compiled } from '../database/compile.js';

/**
 * Kinds of things that pages show and follow, by name: augmented by the domain that has them (decision 82).
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- augmented by domains
export interface PageChangeKinds {}

export type PageChangeKind = keyof PageChangeKinds & string;

/** The channel that notifies API processes of changes to pages. */
export const PAGE_CHANGES_CHANNEL = 'capstan_page_changes';

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const PAYLOAD_LENGTH = 7_900;
/** Represents more ids than a payload holds. */
const MANY = '*';

/** Something of a kind changed in these projects, or groups, in as few bytes as possible. */
export function pageChangePayload(kind: PageChangeKind, ids: Iterable<number>): string {
  const payload = `${kind} ${[...new Set(ids)].join()}`;
  return payload.length > PAYLOAD_LENGTH ? `${kind} ${MANY}` : payload;
}

/** Parses a payload; `ids` is null for many. Null for an empty change. */
export function readPageChange(payload: string): { kind: string; ids: number[] | null } | null {
  const [kind = '', written = ''] = payload.split(' ');
  if (written === MANY) return { kind, ids: null };
  const ids = written.split(',').map(Number);
  return written !== '' && ids.every(Number.isSafeInteger) ? { kind, ids } : null;
}

/**
 * SQL that notifies pages once the transaction is committed, as a value of a statement that runs anyway. Duplicate
 * notifications within a transaction are sent once.
 */
export function pageNotification(kind: PageChangeKind, projectIds: Iterable<number>): AliasableExpression<void> {
  const eb = expressionBuilder();
  return eb.fn<void>('pg_notify', [eb.val(PAGE_CHANGES_CHANNEL), eb.val(pageChangePayload(kind, projectIds))]);
}

/** The same of each row that a statement changed. @param projectId of the row */
export function rowPageNotification(
  kind: PageChangeKind,
  projectId: Expression<number | null>,
): AliasableExpression<void> {
  const eb = expressionBuilder();
  const payload = eb.fn<string>('concat', [eb.cast<string>(eb.val(kind), 'text'), constant(' '), projectId]);
  return eb.fn<void>('pg_notify', [eb.val(PAGE_CHANGES_CHANNEL), payload]);
}

/** The same of rows of projects and groups, for a kind of each. @param row alias of what has the ids of both */
export function containerPageNotification(
  kinds: { project: PageChangeKind; group: PageChangeKind },
  row: string,
): AliasableExpression<void> {
  const [project, group] = [sql.ref(`${row}.project_id`), sql.ref(`${row}.namespace_id`)];
  return sql<void>`pg_notify(${PAGE_CHANGES_CHANNEL}, concat(
    case when ${project} is null then ${kinds.group}::text else ${kinds.project}::text end, ' ', coalesce(${project}, ${group})))`;
}

/**
 * SQL that notifies requests waiting for one change, by its kind and id, once the transaction is committed. Pages do
 * not subscribe to it.
 */
export const waiterNotification = (kind: string, id: number): AliasableExpression<void> =>
  sql<void>`pg_notify(${PAGE_CHANGES_CHANNEL}, ${`${kind} ${id}`})`;

/** Notifies pages of a change of a kind in these projects, once the transaction is committed. */
export async function notifyPages(db: Queryable, kind: PageChangeKind, projectIds: Iterable<number>): Promise<void> {
  // Plain SQL: a function without a table.
  await db.query(compiled(sql`select ${pageNotification(kind, projectIds)}`));
}

/** A page of one project: the kinds that its caller may know of there. */
interface ProjectScope {
  readonly project_id: number;
  readonly kinds: ReadonlySet<PageChangeKind>;
}

/** A page that shows what crosses projects. */
export interface WideScope {
  /** Equal for pages of the same caller and scope: they are decided together. */
  readonly key: string;
  /** Of each kind the projects in which its caller may know of it, as a condition on project `p`. */
  readonly kinds: ReadonlyMap<PageChangeKind, Expression<SqlBool>>;
  /** Of the page of a group: the kinds of the group itself that its caller may know of. */
  readonly group?: { readonly id: number; readonly kinds: ReadonlySet<PageChangeKind> };
}

/** The changes that a page is notified of. */
export type PageScope = ProjectScope | WideScope;
