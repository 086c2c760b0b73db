import { createQueryId, PostgresQueryCompiler, sql } from 'kysely';
import type { Expression, RawBuilder, SqlBool } from 'kysely';
import { Sql } from 'sql-template-tag';

/*
 * Between expressions of Kysely and fragments of SQL as text, for areas that build on each other while one of them is
 * written in the one way and one in the other.
 */

/** Whether a value is an expression or query of Kysely. */
export const isExpression = (value: unknown): value is Expression<unknown> =>
  typeof value === 'object' && value !== null && 'toOperationNode' in value;

/** In the place of a value. No statement holds it: PostgreSQL's texts cannot. */
const VALUE = '\0';

class FragmentCompiler extends PostgresQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return VALUE;
  }
}

/** An expression or query as a fragment of SQL; a query stands without brackets. */
export function toSql(expression: Pick<Expression<unknown>, 'toOperationNode'>): Sql {
  const { sql: text, parameters } = new FragmentCompiler().compileQuery(
    expression.toOperationNode() as never,
    createQueryId(),
  );
  return new Sql(text.split(VALUE), [...parameters]);
}

/** A fragment of SQL as an expression, whose type is whatever the caller says. */
export const toExpression = <T = SqlBool>(fragment: Expression<unknown> | Sql): RawBuilder<T> =>
  fragment instanceof Sql
    ? sql<T>(fragment.strings as unknown as TemplateStringsArray, ...fragment.values)
    : sql<T>`${fragment}`;
