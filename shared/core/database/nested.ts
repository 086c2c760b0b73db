import { sql } from 'kysely';
import type { AliasedExpression } from 'kysely';

/**
 * Columns of a joined row, selected as one nested object of the result: `null` where an outer join found no row, which
 * its `id` tells. The driver reads a column named `author.id` into `author: { id }`.
 * @param name of the object in the result
 * @param alias of the joined table
 */
export const nested = <Row, const Name extends string>(
  name: Name,
  alias: string,
  columns: readonly (keyof Row & string)[],
): AliasedExpression<Row | null, Name>[] =>
  columns.map(
    (column) => sql.ref(`${alias}.${column}`).as(`${name}.${column}`) as unknown as AliasedExpression<Row | null, Name>,
  );
