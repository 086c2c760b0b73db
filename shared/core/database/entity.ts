import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';

export { defineEntity, p };
export type { InferEntity };

/** The columns that every table has: one bigint key, and when the row was made and last changed. */
export const id = () => p.bigint('number').primary().autoincrement();
/** An instant, UTC, in whole milliseconds: what is answered is what is stored. */
export const timestamp = () => p.datetime(3);
export const reference = () => p.bigint('number');
