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
import { fragmentOf } from './fragments.js';

/*
 * To build a query with Kysely and compile it costs up to some hundred microseconds of CPU, as much as all else of a
 * small request. What is read often is built once, with placeholders, and only gets its values from then on.
 */

/** Stands for a value that is known later. */
class Placeholder {
  constructor(readonly name: string) {}
}

/** A query that can be compiled, of rows. */
export type Query<Row> = Compilable<Row> & OperationNodeSource;

/** What a prepared expression or query is built with: an expression for each of its values. */
export type Placeholders<Values> = { readonly [Name in keyof Values]-?: Expression<Values[Name]> };

/** Each is made when it is asked for by its name, so that spreading them would lose all. */
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

/** A value that is missing would be sent as null: what its condition says would be another one. @throws TypeError */
function valueOf({ name }: Placeholder, values: Readonly<Record<string, unknown>>): unknown {
  const value = values[name];
  if (value === undefined) throw new TypeError(`The prepared query got no value for ${name}.`);
  return value;
}

const filled = (parameters: readonly unknown[], values: object): unknown[] =>
  parameters.map((one) => (one instanceof Placeholder ? valueOf(one, values as Record<string, unknown>) : one));

/**
 * An expression that is built once.
 * @param build what it is, over placeholders; it sees no value, so that what it is may not depend on any
 * @returns gives it its values, or expressions for them
 */
export function prepareExpression<Values extends object, T>(
  build: (values: Placeholders<Values>) => Expression<T>,
): (values: { readonly [Name in keyof Values]: Values[Name] | Expression<Values[Name]> }) => AliasableExpression<T> {
  let built: ReturnType<typeof fragmentOf> | undefined;
  return (values) => {
    built ??= fragmentOf(build(placeholders<Values>()));
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

/** Runs a query that was built apart from any connection on whatever runs statements, such as a session beside the pool. */
export const runQuery = <Row>(db: Queryable, query: Query<Row>): Promise<Row[]> => db.query<Row>(compiled(query));

/**
 * A statement that is built once, for whoever sends it apart from a context.
 * @param build the statement, over placeholders; it sees no value, so that what it is may not depend on any
 * @param name under which a session beside the pool keeps it prepared
 * @returns gives it its values
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
 * A query that is built once, for what is read often.
 * @param build the query, over placeholders; it sees no value, so that what it is may not depend on any
 * @param name under which a session beside the pool keeps it prepared
 * @returns runs it with its values, on a context, with its transaction where one is open, or whatever runs statements
 */
export function prepareQuery<Database, Values extends object, Row>(
  build: (db: Kysely<Database>, values: Placeholders<Values>) => Query<Row>,
  name?: string,
): (db: Queryable, values: Values) => Promise<Row[]> {
  const statement = prepareStatement(build, name);
  return (db, values) => db.query<Row>(statement(values));
}
