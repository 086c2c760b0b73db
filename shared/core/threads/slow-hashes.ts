import { Overloaded } from '../values/errors.js';
import { Limiter } from '../values/limiter.js';

/** One at a time: a hash keeps a core and 64 MiB busy (`hash-thread.ts`). */
const AT_ONCE = 1;
/** More would wait longer than a person does. */
const WAITING_AT_MOST = 20;
const RETRY_AFTER_SECONDS = 5;

const refuse = () => new Overloaded(RETRY_AFTER_SECONDS);
const limiter = new Limiter({ capacity: AT_ONCE, queueLimit: WAITING_AT_MOST, refuse });

/**
 * Refuses what would have to wait too long, before anything is done for it: a flood must cost next to nothing.
 * @throws Overloaded
 */
export function requireHashCapacity(): void {
  if (limiter.waiting >= WAITING_AT_MOST) throw refuse();
}

/**
 * Runs `work`, which hashes a password, when it is its turn in this process, in order of arrival.
 * @throws Overloaded at once when too many wait already
 */
export const inTurn = <T>(work: () => Promise<T>): Promise<T> => limiter.run(work);
