import type { Context as KoaContext } from 'koa';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { Unauthenticated } from '../../../shared/core/values/errors.js';
import { loadAccessToken } from '../../../shared/auth/oauth/grants.js';
import { webQuery } from '../../core/web-routes.js';
import type { ApiServices } from '../../core/services.js';
import { guardTokenGuesses } from '../../core/credentials/token-guesses.js';

const INVALID = { error: 'invalid_token', error_description: 'The access token is invalid' };

/** Information about an application's token: `GET /oauth/token/info` (public API, "OAuth 2.0"). */
export async function tokenInfo(services: ApiServices, koa: KoaContext): Promise<{ status: number; body: object }> {
  const { access_token: parameter } = webQuery(koa);
  const header = /^Bearer +(.*)$/i.exec(koa.get('authorization'))?.[1] ?? '';
  const token = typeof parameter === 'string' && parameter !== '' ? parameter : header.trim();
  if (token === '') return { status: 401, body: INVALID };
  try {
    await guardTokenGuesses(services, koa.state.origin as Origin, token, () =>
      services.tokens.authenticate({ token, carrier: 'access_token' }),
    );
  } catch (error) {
    if (error instanceof Unauthenticated) return { status: 401, body: INVALID };
    throw error;
  }
  const ctx = new Context(services, ANONYMOUS, koa.state.origin as Origin);
  const found = await loadAccessToken(ctx, token);
  if (!found) return { status: 401, body: INVALID };
  const seconds = Math.ceil((found.expires_at.getTime() - ctx.clock.now().getTime()) / 1000);
  return {
    status: 200,
    body: {
      resource_owner_id: found.user_id,
      scope: found.scopes,
      expires_in: seconds,
      application: { uid: found.client_id },
      created_at: Math.floor(found.created_at.getTime() / 1000),
      // Names from before there was a standard; older clients read them.
      scopes: found.scopes,
      expires_in_seconds: seconds,
    },
  };
}
