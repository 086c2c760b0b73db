import type { Context as KoaContext } from 'koa';
import type { BasicCredential } from '../../../shared/core/context/token-source.js';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Origin } from '../../../shared/core/context/context.js';
import type { ApiServices } from '../services.js';
import { guardGuesses } from './token-guesses.js';

const BASIC = /^Basic +(\S+) *$/i;

/**
 * The credential in `Authorization: Basic`, as UTF-8 (RFC 7617); null if it is missing or empty. Invalid text becomes a
 * credential that matches no user.
 */
function getCredential(koa: KoaContext): BasicCredential | null {
  const header = koa.get('authorization');
  if (!/^Basic\b/i.test(header)) return null;
  const text = Buffer.from(BASIC.exec(header)?.[1] ?? '', 'base64').toString('utf8');
  if (text === ':') return null;
  const colon = text.indexOf(':');
  return colon === -1
    ? { username: text, password: '' }
    : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * The caller of a request by its Basic credential, for programs outside the API: git, and clients of packages and
 * images. Other credentials and cookies are ignored. Without a credential the caller is anonymous; an invalid one is a
 * 401, even for public resources, and counts as a guess at its user name.
 * @throws Unauthenticated, Forbidden, RateLimited, Overloaded
 */
export async function ownerOfBasic(services: ApiServices, koa: KoaContext): Promise<Caller> {
  const credential = getCredential(koa);
  if (!credential) return ANONYMOUS;
  const origin = koa.state.origin as Origin;
  const claim = () => `basic ${credential.username.toLowerCase()}`;
  const caller = await guardGuesses(services, origin, claim, () => services.basic.authenticate(credential, origin));
  services.traffic.answerFor(koa, caller);
  return caller;
}
