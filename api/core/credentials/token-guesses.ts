import { networkOf } from '../../../shared/core/values/client-network.js';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { RateLimited, Unauthenticated } from '../../../shared/core/values/errors.js';
import { Limiter } from '../../../shared/core/values/limiter.js';
import type { ApiServices } from '../services.js';

/** Characters after a kind's prefix that tell one client's token from another's, and too few to guess the rest by. */
const DISTINCT_CHARACTERS = 4;

/** The beginning of a token, digested: not even a part of one is stored. */
function beginningOf({ keys }: ApiServices, token: string): string {
  const [prefix = ''] = /^[\w.]{0,32}[-_]/.exec(token) ?? [];
  return keys.digest(token.slice(0, prefix.length + DISTINCT_CHARACTERS)).toString('base64url');
}

/**
 * Counts a credential that nobody has, by address and by what it claims to be, so that a client with a wrong one is
 * told to stop and no other behind its address.
 * @param claim what is guessed at: the beginning of a token, the id of an application
 * @returns the seconds to wait when it was one too many, else null
 */
export async function countGuess(services: ApiServices, { ip }: Origin, claim: string): Promise<number | null> {
  const { limiter } = services;
  const network = networkOf(ip);
  for (const [name, key] of [
    ['token_guess', ['address', network, claim]],
    ['token_guess_address', ['address', network]],
  ] as const) {
    const usage = await limiter.consume(name, key);
    if (usage?.exceeded) return usage.retryAfterSeconds;
  }
  return null;
}

/** What an address that guessed too often looks up, one after the other. One for each: a flood is long for itself alone. */
const limiters = new Map<string, Limiter>();

async function oneByOne<R>(network: string, work: () => Promise<R>): Promise<R> {
  const limiter = limiters.get(network) ?? new Limiter({ capacity: 1 });
  limiters.set(network, limiter);
  try {
    return await limiter.run(work);
  } finally {
    if (limiter.held === 0) limiters.delete(network);
  }
}

/**
 * Slows guessing (decisions/0030-client-address.md): a token that somebody has is let through always, and tokens that
 * nobody has are counted and then refused. An address with too many of them looks up one at a time, so that a flood
 * holds one connection at most. Requests that authenticate cost nothing. Expired and revoked tokens are no guesses.
 * @param find finds the caller behind the token; null when nobody has it
 * @throws RateLimited, Unauthenticated, and what `find` throws
 */
export function guardTokenGuesses(
  services: ApiServices,
  origin: Origin,
  token: string,
  find: () => Promise<Caller | null>,
): Promise<Caller> {
  return guardGuesses(services, origin, () => beginningOf(services, token), find);
}

/**
 * The same for any credential.
 * @param claimOf what a wrong one claims to be, as in {@link countGuess}
 */
export async function guardGuesses(
  services: ApiServices,
  origin: Origin,
  claimOf: () => string,
  find: () => Promise<Caller | null>,
): Promise<Caller> {
  const network = networkOf(origin.ip);
  const suspect = services.limiter.consumed('token_guess_address', ['address', network]) !== null;
  const caller = await (suspect ? oneByOne(network, find) : find());
  if (caller) return caller;
  const wait = await countGuess(services, origin, claimOf());
  throw wait === null ? new Unauthenticated('unknown') : new RateLimited(wait);
}
