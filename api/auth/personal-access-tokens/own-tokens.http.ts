import type { Context as KoaContext, Middleware } from 'koa';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { admit, invoke, invokeAdmitted } from '../../../shared/core/operations/invoke.js';
import { presentOne } from '../../../shared/core/operations/serializer.js';
import {
  createTokenInSession,
  listAvailableScopes,
} from '../../../shared/auth/personal-access-tokens/create-token-in-session.js';
import { newPersonalAccessToken } from '../../../shared/auth/personal-access-tokens/personal-access-token.serializer.js';
import { sendJson } from '../../core/respond.js';
import type { ApiServices } from '../../core/services.js';
import { BAD_CSRF_TOKEN, hasCsrfToken, ownerOfSession } from '../../core/credentials/session-cookie.js';
import { BadCsrfToken, webMiddleware, webParams } from '../../core/web-routes.js';

/** Where the page of one's own tokens is, too. */
const PAGE = '/-/user_settings/personal_access_tokens';

const getContext = async (services: ApiServices, koa: KoaContext): Promise<Context> =>
  new Context(services, await ownerOfSession(services, koa), koa.state.origin as Origin);

/**
 * Data for the page of the user's own tokens that the API does not offer because tokens may not access it: the
 * available scopes, and the creation of a token with any of them.
 */
export function ownTokensMiddleware(services: ApiServices): Middleware {
  return webMiddleware(services, [
    {
      methods: ['GET'],
      path: `${PAGE}/scopes`,
      async handle(koa) {
        sendJson(koa, 200, await invoke(await getContext(services, koa), listAvailableScopes, {}));
      },
    },
    {
      methods: ['POST'],
      path: PAGE,
      async handle(koa) {
        const ctx = await getContext(services, koa);
        if (ctx.caller.session && !hasCsrfToken(services, koa)) throw new BadCsrfToken(BAD_CSRF_TOKEN);
        const admission = admit(ctx, createTokenInSession);
        const { result } = await invokeAdmitted(admission, await webParams(koa, services, ctx.caller));
        sendJson(koa, 201, await presentOne(ctx, newPersonalAccessToken, result));
      },
    },
  ]);
}
