import { createQueryId, sql } from 'kysely';
import type {
  AliasableExpression,
  Compilable,
  Expression,
  Kysely,
  OperationNodeSource,
  SelectQueryBuilder,
} from 'kysely';
import type { EntityManager } from '@mikro-orm/postgresql';
import { compiled, compiling } from './compile.js';
import type { Queryable } from './database.js';
import type { Statement } from './driver/statement.js';
import { buildFragment } from './fragments.js';

/*
 * Building a query with Kysely and compiling it takes up to some hundred microseconds of CPU, as much as the rest of a
 * small request. Frequent queries are built once, with placeholders, and only receive their values afterward.
 */

/** Represents a value that is provided later. */
class Placeholder {
  constructor(readonly name: string) {}
}

/** A query that can be compiled, of rows. */
export type Query<Row> = Compilable<Row> & OperationNodeSource;

/** The input for building a prepared expression or query: an expression for each of its values. */
export type Placeholders<Values> = { readonly [Name in keyof Values]-?: Expression<Values[Name]> };

/** Each placeholder is created when its name is accessed, so spreading the object would lose all of them. */
const placeholders = <Values>(): Placeholders<Values> =>
  new Proxy(
    {},
    {
      get: (_target, name) => sql.val(new Placeholder(String(name))),
      ownKeys: () => {
        throw new TypeError('Placeholders are named one by one.');
      },
    },
  ) as Placeholders<Values>;

/** A missing value would be sent as null and change the meaning of its condition. @throws TypeError */
function getValue({ name }: Placeholder, values: Readonly<Record<string, unknown>>): unknown {
  const value = values[name];
  if (value === undefined) throw new TypeError(`The prepared query got no value for ${name}.`);
  return value;
}

const filled = (parameters: readonly unknown[], values: object): unknown[] =>
  parameters.map((one) => (one instanceof Placeholder ? getValue(one, values as Record<string, unknown>) : one));

/**
 * An expression that is built once.
 * @param build what it is, over placeholders; it sees no value, so that what it is may not depend on any
 * @returns gives it its values, or expressions for them
 */
export function prepareExpression<Values extends object, T>(
  build: (values: Placeholders<Values>) => Expression<T>,
): (values: { readonly [Name in keyof Values]: Values[Name] | Expression<Values[Name]> }) => AliasableExpression<T> {
  let built: ReturnType<typeof buildFragment> | undefined;
  return (values) => {
    built ??= buildFragment(build(placeholders<Values>()));
    return sql<T>(built.strings as unknown as TemplateStringsArray, ...filled(built.values, values));
  };
}

/** Runs a query that was built apart from any connection, on the transaction of the entity manager where one is open. */
export async function readRows<Row>(em: EntityManager, query: SelectQueryBuilder<never, never, Row>): Promise<Row[]> {
  const db = em.getKysely();
  const { rows } = await db.executeQuery<Row>(
    db.getExecutor().compileQuery<Row>(query.toOperationNode(), createQueryId()),
  );
  return rows;
}

/**
 * Runs a query that was built independently of a connection on any {@link Queryable}, such as a session outside the
 * pool.
 */
export const runQuery = <Row>(db: Queryable, query: Query<Row>): Promise<Row[]> => db.query<Row>(compiled(query));

/**
 * A statement that is built once, for code that sends it without a context.
 * @param build builds the statement over placeholders; it sees no values, so the statement cannot depend on any
 * @param name the name under which a session outside the pool prepares it
 * @returns a function that binds its values
 */
export function prepareStatement<Database, Values extends object>(
  build: (db: Kysely<Database>, values: Placeholders<Values>) => OperationNodeSource,
  name?: string,
): (values: Values) => Statement {
  let built: Statement | undefined;
  return (values) => {
    built ??= compiled(build(compiling as Kysely<Database>, placeholders<Values>()));
    return { text: built.text, values: filled(built.values, values), name };
  };
}

/**
 * A query that is built once, for frequent reads.
 * @param build builds the query over placeholders; it sees no values, so the query cannot depend on any
 * @param name the name under which a session outside the pool prepares it
 * @returns a function that runs it with its values, on a context (in its open transaction, if any) or any other
 * {@link Queryable}
 */
export function prepareQuery<Database, Values extends object, Row>(
  build: (db: Kysely<Database>, values: Placeholders<Values>) => Query<Row>,
  name?: string,
): (db: Queryable, values: Values) => Promise<Row[]> {
  const statement = prepareStatement(build, name);
  return (db, values) => db.query<Row>(statement(values));
}
