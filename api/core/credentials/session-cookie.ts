import type { Context as KoaContext } from 'koa';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import type { UserOrAnonymous } from '../../../shared/core/context/callers.js';
import type { ApiServices } from '../services.js';

/** contract decision 15. */
export const SESSION_COOKIE = '_service_session';
/** graphql.md section 1.2. */
export const BAD_CSRF_TOKEN = "Can't verify CSRF token authenticity.";

/** The value of the session cookie; empty without one. */
export const getSessionSecret = (koa: KoaContext): string => koa.cookies.get(SESSION_COOKIE) ?? '';

/** The caller of the session cookie; anonymous without a cookie, and if the session has expired. */
export async function ownerOfSession(services: ApiServices, koa: KoaContext): Promise<UserOrAnonymous> {
  const secret = getSessionSecret(koa);
  const caller = (secret === '' ? null : await services.sessions.authenticate(secret)) ?? ANONYMOUS;
  services.traffic.answerFor(koa, caller);
  return caller;
}

/**
 * Whether a request has the CSRF token of its session, in the header `X-CSRF-Token`.
 * @param formToken the token of a form, which cannot send headers
 */
export function hasCsrfToken(services: ApiServices, koa: KoaContext, formToken = ''): boolean {
  return services.sessions.isCsrfToken(getSessionSecret(koa), koa.get('x-csrf-token') || formToken);
}

/** No script reads it, no other site's form sends it, and it ends with the browser. */
function attributes(services: ApiServices): string {
  const secure = services.config.externalUrl.startsWith('https:') ? '; Secure' : '';
  return `Path=/; HttpOnly; SameSite=Lax${secure}`;
}

/** Puts a session's secret into the browser. */
export function setSessionCookie(services: ApiServices, koa: KoaContext, secret: string): void {
  koa.append('Set-Cookie', `${SESSION_COOKIE}=${secret}; ${attributes(services)}`);
}

/** Takes the session out of the browser. */
export function dropSessionCookie(services: ApiServices, koa: KoaContext): void {
  koa.append('Set-Cookie', `${SESSION_COOKIE}=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${attributes(services)}`);
}
