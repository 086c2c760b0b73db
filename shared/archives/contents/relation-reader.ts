import type { Context } from '../../core/context.js';
import type { Sql } from '../../core/sql.js';
import type { ArchiveRelation } from '../format/attributes.js';
import type { AttributeValues } from './json-sql.js';

/** How the objects of a relation are read: as SQL over rows `x`. */
export interface RelationReader {
  /** The table's rows as `x`, with what is joined to them. */
  readonly from: Sql;
  /** The id of the group or project that a row belongs to. */
  readonly container: Sql;
  /** Orders the rows of one container, each with another value; an index should begin with both. */
  readonly key: Sql;
  readonly keyType: 'bigint' | 'text';
  /** Which of them the exporter may see; all where it says nothing. */
  readonly where?: (ctx: Context) => Sql;
  readonly values: (ctx: Context) => AttributeValues;
}

/** A relation with its reader. */
export interface ReadRelation extends ArchiveRelation {
  readonly reader: RelationReader;
}

/** Those of the relations that the plan of the instance has. */
export const writtenRelations = (ctx: Context, relations: readonly ReadRelation[]): ReadRelation[] =>
  relations.filter(({ plan }) => plan === undefined || ctx.hasPlan(plan));

/** Joins relations of the format with their readers. @throws Error where one has none: a mistake of a registry */
export function withReaders(
  relations: readonly ArchiveRelation[],
  readers: Readonly<Record<string, RelationReader>>,
): ReadRelation[] {
  const written = relations.filter(({ incoming }) => !incoming);
  return written.map((relation) => {
    const reader = readers[relation.name];
    if (!reader) throw new Error(`Nothing reads the relation ${relation.name}.`);
    return { ...relation, reader };
  });
}
