import { getClientNetwork } from '../../../shared/core/values/client-network.js';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { RateLimited, Unauthenticated } from '../../../shared/core/values/errors.js';
import { Limiter } from '../../../shared/core/values/limiter.js';
import type { ApiServices } from '../services.js';

/** Characters after the token prefix that distinguish clients' tokens, and too few to help guess the rest. */
const DISTINCT_CHARACTERS = 4;

/** The beginning of a token, digested: not even a part of one is stored. */
function getBeginning({ keys }: ApiServices, token: string): string {
  const [prefix = ''] = /^[\w.]{0,32}[-_]/.exec(token) ?? [];
  return keys.digest(token.slice(0, prefix.length + DISTINCT_CHARACTERS)).toString('base64url');
}

/**
 * Counts an invalid credential by address and by the beginning or id that it claims, so that a client with an invalid
 * credential is throttled without affecting other clients behind the same address.
 * @param claim the target of the guess: the beginning of a token, the id of an application
 * @returns the seconds to wait if the limit is exceeded, otherwise null
 */
export async function countGuess(services: ApiServices, { ip }: Origin, claim: string): Promise<number | null> {
  const { limiter } = services;
  const network = getClientNetwork(ip);
  for (const [name, key] of [
    ['token_guess', ['address', network, claim]],
    ['token_guess_address', ['address', network]],
  ] as const) {
    const usage = await limiter.consume(name, key);
    if (usage?.exceeded) return usage.retryAfterSeconds;
  }
  return null;
}

/** Serializes the lookups of an address with too many guesses. One limiter per address: a flood delays only itself. */
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
 * Slows guessing (decisions/0030-client-address.md): valid tokens are always let through; invalid tokens are counted
 * and then refused. An address with too many invalid tokens has its lookups serialized, so a flood holds at most one
 * connection. Successful authentication costs nothing. Expired and revoked tokens do not count as guesses.
 * @param find finds the caller of the token; null if the token does not exist
 * @throws RateLimited, Unauthenticated, and what `find` throws
 */
export function guardTokenGuesses(
  services: ApiServices,
  origin: Origin,
  token: string,
  find: () => Promise<Caller | null>,
): Promise<Caller> {
  return guardGuesses(services, origin, () => getBeginning(services, token), find);
}

/**
 * The same for any credential.
 * @param claimOf what an invalid credential claims to be, as in {@link countGuess}
 */
export async function guardGuesses(
  services: ApiServices,
  origin: Origin,
  claimOf: () => string,
  find: () => Promise<Caller | null>,
): Promise<Caller> {
  const network = getClientNetwork(origin.ip);
  const suspect = services.limiter.consumed('token_guess_address', ['address', network]) !== null;
  const caller = await (suspect ? oneByOne(network, find) : find());
  if (caller) return caller;
  const wait = await countGuess(services, origin, claimOf());
  throw wait === null ? new Unauthenticated('unknown') : new RateLimited(wait);
}
