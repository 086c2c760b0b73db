import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';

export { defineEntity, p };
export type { InferEntity };

/** The columns that every table has: one bigint key, and when the row was made and last changed. */
export const id = () => p.bigint('number').primary().autoincrement();
/** An instant in UTC, in whole milliseconds, so that the response shows exactly the stored value. */
export const timestamp = () => p.datetime(3);
/**
 * A reference to a row of another table by its id: MikroORM knows the join, and the property holds the id itself. If
 * the other entity is declared above this one, only {@link reference} can be used, because imports must not be
 * circular.
 */
export const relation = <Target extends Parameters<typeof p.manyToOne>[0]>(target: Target) =>
  p.manyToOne(target).mapToPk();
/** The id of a row of a table that this entity does not know, or that has been deleted since. */
export const reference = () => p.bigint('number');
