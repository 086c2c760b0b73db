import type { Context as KoaContext, Middleware } from 'koa';
import { ANONYMOUS, getCaller } from '../../../shared/core/context/callers.js';
import type { CallerUser, UserOrAnonymous } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { Overloaded, RateLimited, Unauthenticated } from '../../../shared/core/values/errors.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../../../shared/core/values/version.js';
import { presentEndingTokens } from '../../../shared/auth/personal-access-tokens/ending-tokens.js';
import { changeOwnPassword } from '../../../shared/auth/user-sessions/change-password.js';
import { signOut } from '../../../shared/auth/user-sessions/end-sessions.js';
import { getCsrfToken } from '../../../shared/auth/user-sessions/session-secrets.js';
import { signIn } from '../../../shared/auth/user-sessions/sign-in.js';
import type { Browser } from '../../../shared/auth/user-sessions/start-session.js';
import { presentSelf } from '../../../shared/auth/user-sessions/session.serializer.js';
import type { RequestParameters } from '../../core/nested-params.js';
import { sendJson, sendNothing } from '../../core/respond.js';
import { isFromHere, pathWithin } from '../../core/credentials/same-site.js';
import type { ApiServices } from '../../core/services.js';
import {
  BAD_CSRF_TOKEN,
  dropSessionCookie,
  hasCsrfToken,
  ownerOfSession,
  getSessionSecret,
  setSessionCookie,
} from '../../core/credentials/session-cookie.js';
import { BadCsrfToken, seeOther, textParam, wantsPage, webMiddleware, webParams } from '../../core/web-routes.js';
import type { WebRoute } from '../../core/web-routes.js';

const SIGN_IN = '/users/sign_in';
const HOME = '/';

const getContext = (services: ApiServices, koa: KoaContext, caller: UserOrAnonymous): Context =>
  new Context(services, caller, koa.state.origin as Origin);

const getBrowser = (koa: KoaContext, caller: UserOrAnonymous): Browser => ({
  userAgent: koa.get('user-agent'),
  previous: caller.session?.id ?? null,
});

/** `login` and `password` by themselves, or as `user[login]` of a form. */
function getCredentials(parameters: RequestParameters): { login: string; password: string } {
  const nested =
    typeof parameters.user === 'object' && parameters.user !== null ? (parameters.user as RequestParameters) : {};
  const read = (name: string) => textParam(parameters, name) || textParam(nested, name);
  return { login: read('login') || read('username') || read('email'), password: read('password') };
}

/** Error code of a failed sign-in for the page: a keyword in the query string, never the user's input. */
function problemCode(error: unknown): string {
  if (error instanceof RateLimited) return 'throttled';
  if (error instanceof Overloaded) return 'busy';
  return error instanceof Unauthenticated ? 'invalid' : 'refused';
}

/**
 * Sends the signed-in user, the token that changes require and, only to signed-in users, the running version. Without a
 * sign-in, user and token are null. Every response includes the time, because a browser's clock may be wrong.
 */
function sendSession(koa: KoaContext, services: ApiServices, user: CallerUser | null, secret: string, rest = {}) {
  const ctx = getContext(services, koa, getCaller(user));
  const csrf_token = user ? getCsrfToken(services.keys, secret) : null;
  const { revision } = services.config;
  const running = user ? { service: { name: SERVICE_NAME, version: SERVICE_VERSION, revision } } : {};
  const now = ctx.clock.now().toISOString();
  sendJson(koa, 200, { user: user && presentSelf(ctx, user), csrf_token, now, ...running, ...rest });
}

async function handleSignIn(koa: KoaContext, services: ApiServices): Promise<void> {
  if (!isFromHere(koa, services.config.externalUrl)) throw new BadCsrfToken(BAD_CSRF_TOKEN);
  const before = await ownerOfSession(services, koa);
  const parameters = await webParams(koa, services, ANONYMOUS);
  const target = pathWithin(parameters.redirect_to ?? parameters.redirect, services.config.externalUrl) ?? HOME;
  try {
    const ctx = getContext(services, koa, ANONYMOUS);
    const { user, secret } = await signIn(ctx, getCredentials(parameters), getBrowser(koa, before));
    setSessionCookie(services, koa, secret);
    if (wantsPage(koa)) return seeOther(koa, target);
    sendSession(koa, services, user, secret, { redirect_to: target });
  } catch (error) {
    if (!wantsPage(koa)) throw error;
    const query = new URLSearchParams({ problem: problemCode(error), redirect_to: target });
    seeOther(koa, `${SIGN_IN}?${query.toString()}`);
  }
}

/** @throws BadCsrfToken when the caller has a session and the request not its token */
function requireCsrfToken(
  koa: KoaContext,
  services: ApiServices,
  caller: UserOrAnonymous,
  parameters: RequestParameters,
): void {
  if (caller.session && !hasCsrfToken(services, koa, textParam(parameters, 'authenticity_token')))
    throw new BadCsrfToken(BAD_CSRF_TOKEN);
}

async function handleSignOut(koa: KoaContext, services: ApiServices): Promise<void> {
  const caller = await ownerOfSession(services, koa);
  const parameters = await webParams(koa, services, caller);
  requireCsrfToken(koa, services, caller, parameters);
  await signOut(getContext(services, koa, caller));
  dropSessionCookie(services, koa);
  if (wantsPage(koa)) seeOther(koa, HOME);
  else sendNothing(koa);
}

async function handleSession(koa: KoaContext, services: ApiServices): Promise<void> {
  const caller = await ownerOfSession(services, koa);
  const { user } = caller;
  const ctx = getContext(services, koa, caller);
  const extras = user ? { ending_tokens: await presentEndingTokens(ctx, user.id) } : {};
  sendSession(koa, services, user, getSessionSecret(koa), extras);
}

async function handlePassword(koa: KoaContext, services: ApiServices): Promise<void> {
  const caller = await ownerOfSession(services, koa);
  if (!caller.user) throw new Unauthenticated();
  const parameters = await webParams(koa, services, caller);
  requireCsrfToken(koa, services, caller, parameters);
  const input = { current: textParam(parameters, 'current_password'), password: textParam(parameters, 'password') };
  const secret = await changeOwnPassword(getContext(services, koa, caller), input, getBrowser(koa, caller));
  setSessionCookie(services, koa, secret);
  sendSession(koa, services, caller.user, secret);
}

/** decisions/0012-sessions.md */
const ROUTES: readonly WebRoute[] = [
  { methods: ['POST'], path: SIGN_IN, handle: handleSignIn },
  { methods: ['POST', 'DELETE'], path: '/users/sign_out', handle: handleSignOut },
  { methods: ['GET'], path: '/-/session', handle: handleSession },
  { methods: ['POST', 'PUT'], path: '/-/session/password', handle: handlePassword },
];

/** Serves signing in and out, and what pages need to know of a session. */
export const sessionMiddleware = (services: ApiServices): Middleware => webMiddleware(services, ROUTES);
