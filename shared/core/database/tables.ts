import type { SelectQueryBuilder } from 'kysely';
import type { InferKyselyDB } from '@mikro-orm/postgresql';

/**
 * The tables of entities as Kysely's queries name them, with their columns typed from the entities: a column that is
 * renamed, or gets another type, is a compile error wherever a query names it.
 */
export type TablesOf<Entity extends { name: string }> = InferKyselyDB<Entity, { columnNamingStrategy: 'property' }>;

/** A database whose tables are known under aliases as well: what a shared expression says of `i` and `p`. */
export type Aliased<Database, Aliases extends Readonly<Record<string, keyof Database>>> = Database & {
  [Alias in keyof Aliases]: Database[Aliases[Alias]];
};

/**
 * A query as one of those of its tables that shared columns and conditions name. That it has them, with such columns,
 * the compiler checks, which it cannot where a query of more tables stands for one of fewer.
 * @returns the same query
 */
export const asQueryOf =
  <Database, Name extends keyof Database>() =>
  <DB, Among extends keyof DB, Row>(query: SelectQueryBuilder<DB, Among, Row>) =>
    // A constraint would not do: where it is not met, the compiler takes it for what was given.
    query as DB extends Pick<Database, Name>
      ? [Name] extends [Among]
        ? SelectQueryBuilder<Database, Name, Row>
        : never
      : never;
