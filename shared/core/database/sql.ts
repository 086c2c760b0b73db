import sqlTag, { join as joinFragments, raw, Sql } from 'sql-template-tag';
import type { EntitySchema } from '@mikro-orm/core';
import type { Expression, OperationNode } from 'kysely';
import type { Statement } from './driver/statement.js';
import { toExpression, toSql, isExpression } from './fragments.js';

/**
 * SQL fragments that nest: values become parameters, never text.
 * `sql`select ${textColumns(User, 'u')} from users u where u.id = ${id}``
 */
export const sql = (strings: TemplateStringsArray, ...values: unknown[]): Sql =>
  sqlTag(strings, ...values.map(asFragment));

export const join = (values: readonly unknown[], separator?: string): Sql =>
  joinFragments(values.map(asFragment), separator);
export { raw, Sql };

declare module 'sql-template-tag' {
  /** A fragment stands wherever Kysely takes an expression; nobody checks its type. */
  interface Sql {
    // oxlint-disable-next-line typescript/no-explicit-any -- a text says nothing of its type
    readonly expressionType: any;
    toOperationNode(): OperationNode;
  }
}
// By this Kysely knows an expression when it sees one.
Object.defineProperty(Sql.prototype, 'expressionType', { value: undefined });
Sql.prototype.toOperationNode = function toOperationNode(this: Sql) {
  return toExpression(this).toOperationNode();
};

/** Text, or a typed expression. */
// oxlint-disable-next-line typescript/no-explicit-any -- a text says nothing of its type
export type Fragment = Sql | Expression<any>;

/** A whole statement of either kind as text. */
export const asSql = (statement: Fragment): Sql =>
  isExpression(statement) && !(statement instanceof Sql) ? toSql(statement) : (statement as Sql);

/** The same, also of one that is compiled already. */
export const asStatement = (statement: Fragment | Statement): Statement =>
  isExpression(statement) ? asSql(statement) : (statement as Statement);

/** Typed expressions become fragments; values stay what they are. */
const asFragment = (value: unknown): unknown => (isExpression(value) && !(value instanceof Sql) ? toSql(value) : value);

const PLANNED_EACH_TIME = '/* planned each time */ ';

/**
 * A statement that is planned for its values each time, instead of once for any values. For those whose values decide
 * how much is found, where the server's one plan would suit few of them.
 */
export const planEachTime = ({ text, values }: Statement): Statement => ({ text: PLANNED_EACH_TIME + text, values });

/** Whether the text is that of such a statement. */
export const isPlannedEachTime = (text: string): boolean => text.startsWith(PLANNED_EACH_TIME);

/** The text of a statement, without the mark of those. */
export const plainText = (text: string): string =>
  isPlannedEachTime(text) ? text.slice(PLANNED_EACH_TIME.length) : text;

/** All conditions must hold; none given is always true. */
export function and(conditions: readonly Fragment[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`((${join(conditions, ') and (')}))`;
}

/** `%` and `_` and `\` taken literally, for use inside `like '%' || … || '%'`. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}

const columnLists = new Map<string, Sql>();

/**
 * The columns of an entity for a select list, from its metadata: `u.id as "id", …`; with a `prefix`
 * `u.id as "owner.id"`, which {@link nest} turns into an object of its own; with `only` some of them.
 */
export function textColumns(entity: EntitySchema, alias: string, prefix = '', only?: readonly string[]): Sql {
  const key = `${entity.meta.className}|${alias}|${prefix}|${only?.join() ?? ''}`;
  let list = columnLists.get(key);
  if (!list) {
    // Properties carry their column's name: nothing is renamed on the way through.
    const names = (only ?? Object.keys(entity.meta.properties)).map((name) => `${alias}.${name} as "${prefix}${name}"`);
    list = raw(names.join(', '));
    columnLists.set(key, list);
  }
  return list;
}

/**
 * Turns dotted keys of a row into nested objects: `{"id":1,"owner.id":2}` to `{id:1, owner:{id:2}}`.
 * A nested object whose `id` is null (an outer join without a match) becomes null.
 */
export function nest<T>(row: Record<string, unknown>): T {
  const result: Record<string, unknown> = {};
  for (const key in row) {
    const dot = key.indexOf('.');
    if (dot < 0) {
      result[key] = row[key];
      continue;
    }
    let target = result;
    let rest = key;
    for (let at = dot; at >= 0; at = rest.indexOf('.')) {
      const head = rest.slice(0, at);
      target = (target[head] ??= {}) as Record<string, unknown>;
      rest = rest.slice(at + 1);
    }
    target[rest] = row[key];
  }
  dropUnmatched(result);
  return result as T;
}

function dropUnmatched(record: Record<string, unknown>) {
  for (const key in record) {
    const value = record[key];
    if (value === null || typeof value !== 'object' || value.constructor !== Object) continue;
    const nested = value as Record<string, unknown>;
    if ('id' in nested && nested.id === null) record[key] = null;
    else dropUnmatched(nested);
  }
}
