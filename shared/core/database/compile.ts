import {
  createQueryId,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { OperationNodeSource, QueryCreator, RootOperationNode } from 'kysely';
import type { Statement } from './driver/statement.js';

/** Compiles, and runs nothing. */
export const compiling = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db as never),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Builds queries apart from any connection: those that begin with `with` or write, which the builder of expressions cannot. */
export const queries = <Database>(): QueryCreator<Database> => compiling as Kysely<Database>;

/** A query that was built apart from any connection as a statement. */
export function compiled(query: OperationNodeSource): Statement {
  const node = query.toOperationNode() as RootOperationNode;
  const { sql: text, parameters: values } = compiling.getExecutor().compileQuery(node, createQueryId());
  return { text, values };
}

/** The same of a statement of either kind. */
export const asStatement = (statement: Statement | OperationNodeSource): Statement =>
  'toOperationNode' in statement ? compiled(statement) : statement;
