import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseAsker } from '../pooled-statements.js';
import type { Statement } from './statement.js';

/** Takes statements that only read, and decides when and with which others they go to the database. */
export interface Reads {
  /** For whom: a write outside of a transaction counts to the same. */
  readonly asker: DatabaseAsker;
  add<T>(statement: Statement): Promise<T[]>;
}

/**
 * What the reads of the request that is being answered, or of the job that runs, go through: they count to its caller,
 * as writes outside of a transaction do, and those that do not wait for each other go to the database together. Whose
 * they are is said by the context whose entity manager is asked.
 */
export const currentReads = new AsyncLocalStorage<{ reads: Reads | null }>();
