import type { EntitySchema, InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { AliasedExpression, Expression, RawBuilder } from 'kysely';

/** The columns of a row as a query selects them: each under its name. */
type Columns<T, Name extends keyof T & string> = { [N in Name]: AliasedExpression<T[N], N> }[Name];

/** Lists of columns that were written, by their names and then by alias and prefix. */
const written = new WeakMap<readonly string[], Map<string, RawBuilder<unknown>>>();

/** Written once for names that stay: a list of fifty columns is a tenth of what building a query costs. */
function getList(names: readonly string[], alias: string, prefix: string): RawBuilder<unknown> {
  let lists = written.get(names);
  if (!lists) written.set(names, (lists = new Map()));
  const key = `${alias} ${prefix}`;
  let list = lists.get(key);
  if (!list) {
    list = sql.raw(names.map((name) => `"${alias}"."${name}" as "${prefix}${name}"`).join(', '));
    lists.set(key, list);
  }
  return list;
}

const namesOfEntities = new WeakMap<EntitySchema, readonly string[]>();

function getNames(entity: EntitySchema): readonly string[] {
  let names = namesOfEntities.get(entity);
  if (!names) namesOfEntities.set(entity, (names = Object.keys(entity.meta.properties)));
  return names;
}

/**
 * The columns of an entity for `select`, by their names rather than `*`: a statement that is prepared must not change
 * its result when a column is added.
 * @param alias of the table in the query
 * @param only some of them
 */
export function columns<E extends EntitySchema, Name extends keyof InferEntity<E> & string>(
  entity: E,
  alias: string,
  only?: readonly Name[],
): Columns<InferEntity<E>, Name>[] {
  return [getList(only ?? getNames(entity), alias, '')] as unknown as Columns<InferEntity<E>, Name>[];
}

/** Which columns of a joined row are selected. */
interface Selected<Column, More> {
  /** Some of the entity's columns; all by default. */
  readonly only?: readonly Column[];
  /** What else its object holds. */
  readonly more?: More;
}

type More = Readonly<Record<string, Expression<unknown>>>;
type ValuesOf<M extends More> = { [Name in keyof M]: M[Name] extends Expression<infer T> ? T : never };

/** The selected columns of a joined row. */
type Row<E extends EntitySchema, Column extends keyof InferEntity<E>, M extends More> = [M] extends [never]
  ? Pick<InferEntity<E>, Column>
  : Pick<InferEntity<E>, Column> & ValuesOf<M>;

/**
 * Columns of a joined row for `select`, as one nested object of the result: the driver reads a column named `author.id`
 * into `author: { id }`.
 * @param name the name of the object in the result
 * @param alias the alias of the joined table
 */
export function nested<
  const Name extends string,
  E extends EntitySchema,
  Column extends keyof InferEntity<E> & string,
  M extends More = never,
>(
  name: Name,
  entity: E,
  alias: string,
  { only, more }: Selected<Column, M> = {},
): AliasedExpression<Row<E, Column, M>, Name>[] {
  const others = Object.entries(more ?? {}).map(([key, value]) => sql`${value}`.as(`${name}.${key}`));
  const list: unknown = [getList(only ?? getNames(entity), alias, `${name}.`), ...others];
  return list as AliasedExpression<Row<E, Column, M>, Name>[];
}

/** The same for an outer join: `null` if it found no row, which a null `id` indicates. */
export const nestedOrNull = <
  const Name extends string,
  E extends EntitySchema,
  Column extends keyof InferEntity<E> & string,
  M extends More = never,
>(
  name: Name,
  entity: E,
  alias: string,
  selected: Selected<Column, M> = {},
) => nested(name, entity, alias, selected) as AliasedExpression<Row<E, Column, M> | null, Name>[];
