import pLimit from 'p-limit';
import { Overloaded } from '../errors.js';

/** One at a time: a hash keeps a core and 64 MiB busy (`hash-thread.ts`). */
const AT_ONCE = 1;
/** More would wait longer than a person does. */
const WAITING_AT_MOST = 20;
const RETRY_AFTER_SECONDS = 5;

/** In order of arrival. */
const turns = pLimit(AT_ONCE);

/**
 * Refuses what would have to wait too long, before anything is done for it: a flood must cost next to nothing.
 * @throws Overloaded
 */
export function requireHashCapacity(): void {
  if (turns.pendingCount >= WAITING_AT_MOST) throw new Overloaded(RETRY_AFTER_SECONDS);
}

/**
 * Runs `work`, which hashes a password, when it is its turn in this process, in order of arrival.
 * @throws Overloaded at once when too many wait already
 */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  requireHashCapacity();
  return turns(work);
}
