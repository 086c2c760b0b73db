import type { Context as KoaContext } from 'koa';
import { Caller } from '../../shared/core/context.js';
import { Unauthenticated } from '../../shared/core/errors.js';
import type { Bag } from './bag.js';
import type { ApiServices } from './services.js';
import { guardTokenGuesses } from './token-guesses.js';

const BEARER = /^Bearer\s+(\S+)\s*$/i;

/** The credential of a request: a parameter wins over a header (rest-conventions.md section 2). */
export function credentialOf(koa: KoaContext, bag: Bag): string | null {
  for (const name of ['private_token', 'access_token']) {
    const value = bag[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  const header = koa.get('private-token');
  if (header !== '') return header;
  return BEARER.exec(koa.get('authorization'))?.[1] ?? null;
}

/**
 * Who is asking. Without a credential the caller is anonymous; a wrong one is 401, even on public resources.
 * @throws Unauthenticated, Forbidden, RateLimited
 */
export async function authenticate(
  services: ApiServices,
  koa: KoaContext,
  bag: Bag,
): Promise<Caller> {
  const credential = credentialOf(koa, bag);
  if (credential === null) return Caller.anonymous;
  return guardTokenGuesses(services, koa.ip, async () => {
    const caller = await services.tokens.authenticate(credential);
    if (!caller) throw new Unauthenticated('unknown');
    return caller;
  });
}
