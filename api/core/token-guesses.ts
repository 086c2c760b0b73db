import type { Caller } from '../../shared/core/context.js';
import { RateLimited, Unauthenticated } from '../../shared/core/errors.js';
import type { ApiServices } from './services.js';

/**
 * Slows guessing: tokens that nobody has are counted by address, and an address with too many of them is refused,
 * with a good token too, until the minute is over. Requests that authenticate cost nothing. Expired and revoked
 * tokens are no guesses. Another process learns that an address is refused from the next wrong token it sees.
 * @param find finds the caller behind the credential; null when nobody has it
 * @throws RateLimited, Unauthenticated, and what `find` throws
 */
export async function guardTokenGuesses(
  services: ApiServices,
  address: string,
  find: () => Promise<Caller | null>,
): Promise<Caller> {
  const spent = services.limiter.spent('token_guess', ['address', address]);
  if (spent) throw new RateLimited(spent.retryAfterSeconds);
  const caller = await find();
  if (caller) return caller;
  const usage = await services.limiter.spend('token_guess', ['address', address]);
  throw usage?.refused ? new RateLimited(usage.retryAfterSeconds) : new Unauthenticated('unknown');
}
