import type { SelectQueryBuilder } from 'kysely';
import type { InferKyselyDB } from '@mikro-orm/postgresql';

/**
 * The tables of entities as Kysely's queries name them, with their columns typed from the entities: a column that is
 * renamed, or gets another type, is a compile error wherever a query names it.
 */
export type TablesOf<Entity extends { name: string }> = InferKyselyDB<Entity, { columnNamingStrategy: 'property' }>;

/** A database whose tables are also available under aliases, for shared expressions that refer to `i` and `p`. */
export type Aliased<Database, Aliases extends Readonly<Record<string, keyof Database>>> = Database & {
  [Alias in keyof Aliases]: Database[Aliases[Alias]];
};

/**
 * Narrows a query to the tables that shared columns and conditions use. The compiler checks that the query has these
 * tables and columns, which it cannot when a query of more tables is passed as one of fewer.
 * @returns the same query
 */
export const asQueryOf =
  <Database, Name extends keyof Database>() =>
  <DB, Among extends keyof DB, Row>(query: SelectQueryBuilder<DB, Among, Row>) =>
    // A constraint would not work: if it is not met, the compiler falls back to the type of the argument.
    query as DB extends Pick<Database, Name>
      ? [Name] extends [Among]
        ? SelectQueryBuilder<Database, Name, Row>
        : never
      : never;
