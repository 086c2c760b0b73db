import type { Context as KoaContext } from 'koa';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import type { Caller } from '../../../shared/core/context/callers.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { Unauthenticated } from '../../../shared/core/values/errors.js';
import type { Carrier, Credential } from '../../../shared/core/context/token-source.js';
import type { RequestParameters } from '../nested-params.js';
import type { RestRoute } from '../routes.js';
import type { ApiServices } from '../services.js';
import { hasCsrfToken, ownerOfSession } from './session-cookie.js';
import { guardTokenGuesses } from './token-guesses.js';

/** They change nothing. */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];
const BEARER = /^Bearer +(.*)$/i;

/** A parameter's text; any other type becomes a text that matches no credential and no name. */
function getText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '\0';
}

/**
 * The credential of a request: a parameter takes precedence over a header (rest-conventions.md section 2). `JOB-TOKEN`,
 * `job_token` and Basic credentials are ignored: no endpoint here accepts them, so such a caller is anonymous.
 */
function getCredential(koa: KoaContext, parameters: RequestParameters): Credential | null {
  const carried: [string, Carrier][] = [
    [getText(parameters.private_token), 'private_token'],
    [getText(parameters.access_token), 'access_token'],
    [koa.get('private-token').trim(), 'private_token'],
    [(BEARER.exec(koa.get('authorization'))?.[1] ?? '').trim(), 'bearer'],
  ];
  const [token, carrier] = carried.find(([sent]) => sent !== '') ?? [];
  return token !== undefined && carrier ? { token, carrier } : null;
}

/**
 * The caller of a request by its token, or else by the session of its cookie. Without either, or with an expired
 * session, the caller is anonymous; an invalid token is a 401, even for public resources.
 * @throws Unauthenticated, Forbidden, RateLimited
 */
export async function ownerOfCredential(
  services: ApiServices,
  koa: KoaContext,
  parameters: RequestParameters,
): Promise<Caller> {
  const route = koa.state.route as RestRoute | undefined;
  // Its caller is who holds the parameter's token, which runners send as PRIVATE-TOKEN too.
  if (route?.options.headerParams) return ANONYMOUS;
  const credential = getCredential(koa, parameters);
  if (!credential) return ownerOfSession(services, koa);
  const origin = koa.state.origin as Origin;
  const rotation = route?.operation.rotates ? origin : undefined;
  const caller = await guardTokenGuesses(services, origin, credential.token, () =>
    services.tokens.authenticate(credential, rotation),
  );
  services.traffic.answerFor(koa, caller);
  return caller;
}

/**
 * Whether a body contains a credential or `sudo`: parameters take precedence over headers, so the caller has to be
 * authenticated again.
 */
export const namesCaller = (body: RequestParameters): boolean =>
  ['private_token', 'access_token', 'sudo'].some((name) => getText(body[name]) !== '');

/** The sender of a request, as far as its headers identify it. */
export interface Sender {
  caller: Caller;
  /** Why the sender is anonymous, if the headers contain an invalid credential: the body may contain another one. */
  problem?: Unauthenticated;
}

/**
 * The sender of a body, by headers, cookie and query. Anonymous if these contain no valid credential: the body may
 * contain one, and is first read under the limits of an anonymous caller.
 * @throws what {@link authenticate} throws for an invalid credential
 */
export async function loadSender(services: ApiServices, koa: KoaContext, url: RequestParameters): Promise<Sender> {
  try {
    return { caller: await authenticate(services, koa, url) };
  } catch (error) {
    if (error instanceof Unauthenticated && error.kind === 'missing') return { caller: ANONYMOUS, problem: error };
    throw error;
  }
}

/**
 * Authenticates the caller of a REST request. A session may change data only with its CSRF token. With `sudo`, as
 * parameter or header, an administrator acts as another user.
 * @throws Unauthenticated, Forbidden, InsufficientScope, NotFound, RateLimited
 */
export async function authenticate(
  services: ApiServices,
  koa: KoaContext,
  parameters: RequestParameters,
): Promise<Caller> {
  const caller = await ownerOfCredential(services, koa, parameters);
  // Any site can make a browser send its cookie, but only our own pages know the token.
  if (caller.kind === 'user' && caller.session && !SAFE_METHODS.includes(koa.method) && !hasCsrfToken(services, koa))
    throw new Unauthenticated();
  const sudo = getText(parameters.sudo) || koa.get('sudo').trim();
  return sudo === '' ? caller : services.actAs(caller, sudo);
}
