import type { InferKyselyDB } from '@mikro-orm/postgresql';

/**
 * The tables of entities as Kysely's queries name them, with their columns typed from the entities: a column that is
 * renamed, or gets another type, is a compile error wherever a query names it.
 */
export type TablesOf<Entity extends { name: string }> = InferKyselyDB<Entity, { columnNamingStrategy: 'property' }>;
