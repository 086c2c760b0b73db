import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';

export { defineEntity, p };
export type { InferEntity };

/** The columns that every table has: one bigint key, and when the row was made and last changed. */
export const id = () => p.bigint('number').primary().autoincrement();
/** An instant, UTC, in whole milliseconds: what is answered is what is stored. */
export const timestamp = () => p.datetime(3);
/**
 * A row of another table, by its id: MikroORM knows what it joins, and the property holds the id itself. Of one that is
 * declared above this entity {@link reference} is all that can be said: files import each other in no circle.
 */
export const relation = <Target extends Parameters<typeof p.manyToOne>[0]>(target: Target) =>
  p.manyToOne(target).mapToPk();
/** The id of a row of a table that this entity does not know, or that has been deleted since. */
export const reference = () => p.bigint('number');
