import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseAsker } from '../pooled-statements.js';
import type { Statement } from './statement.js';

/** Takes statements that only read, and decides when and with which others they go to the database. */
export interface Reads {
  /** The caller that the reads count toward; a write outside of a transaction counts toward the same caller. */
  readonly asker: DatabaseAsker;
  add<T>(statement: Statement): Promise<T[]>;
}

/**
 * The reads of the request or job in progress: they count toward its caller, as do writes outside of a transaction, and
 * independent ones are sent to the database together. The context whose entity manager is used determines the reads.
 */
export const currentReads = new AsyncLocalStorage<{ reads: Reads | null }>();
