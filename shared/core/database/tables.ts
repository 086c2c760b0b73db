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
