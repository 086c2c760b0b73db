import { AsyncLocalStorage } from 'node:async_hooks';
import type { Reads } from './statement.js';

/**
 * What the reads of the request that is being answered, or of the job that runs, go through: they count to its caller, and those that do not wait
 * for each other go to the database together. Whose they are is said by the context whose entity manager is asked.
 */
export const currentReads = new AsyncLocalStorage<{ reads: Reads | null }>();
