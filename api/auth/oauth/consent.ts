import type { Context as KoaContext } from 'koa';
import type Provider from 'oidc-provider';
import type { Interaction } from 'oidc-provider';
import type { UserOrAnonymous } from '../../../shared/core/context/callers.js';
import { NotFound, Unauthenticated } from '../../../shared/core/values/errors.js';
import { SCOPE_DESCRIPTIONS } from '../../../shared/auth/personal-access-tokens/create-token.js';
import { getCsrfToken } from '../../../shared/auth/user-sessions/session-secrets.js';
import { sendJson } from '../../core/respond.js';
import type { ApiServices } from '../../core/services.js';
import {
  BAD_CSRF_TOKEN,
  hasCsrfToken,
  ownerOfSession,
  getSessionSecret,
} from '../../core/credentials/session-cookie.js';
import { BadCsrfToken, textParam, webParams } from '../../core/web-routes.js';

const getScopes = (interaction: Interaction): string[] => String(interaction.params.scope ?? '').split(' ');

/** Seconds since 1970, as the library counts them. */
const now = () => Math.floor(Date.now() / 1000);

/**
 * The request that waits for this person's consent, in this browser's session.
 * @throws Unauthenticated, NotFound "404 Authorization Request Not Found" for others' and for those that are over
 */
async function findRequest(provider: Provider, caller: UserOrAnonymous, uid: string): Promise<Interaction> {
  if (!caller.user || !caller.session) throw new Unauthenticated();
  const interaction = await provider.Interaction.find(uid);
  const mine =
    interaction?.session?.accountId === String(caller.user.id) && interaction.session.uid === String(caller.session.id);
  if (!interaction || !mine) throw new NotFound('Authorization Request');
  return interaction;
}

async function getQuestion(
  services: ApiServices,
  provider: Provider,
  koa: KoaContext,
  caller: UserOrAnonymous,
  uid: string,
) {
  const interaction = await findRequest(provider, caller, uid);
  const client = await provider.Client.find(String(interaction.params.client_id));
  const redirect = new URL(String(interaction.params.redirect_uri));
  if (!client || !caller.user) throw new NotFound('Authorization Request');
  return {
    uid,
    application: { name: client.clientName ?? '', confidential: client.clientAuthMethod !== 'none' },
    scopes: getScopes(interaction).map((name) => ({
      name,
      description: (SCOPE_DESCRIPTIONS as Record<string, string>)[name] ?? '',
    })),
    // Where the browser goes afterwards: host, or scheme of the application's own.
    redirect_host: redirect.host || redirect.protocol,
    user: { username: caller.user.username, name: caller.user.name },
    csrf_token: getCsrfToken(services.keys, getSessionSecret(koa)),
  };
}

/** `GET` for JSON: the data of the consent request. The page that shows it has the same path. */
export async function showConsent(services: ApiServices, provider: Provider, koa: KoaContext, uid: string) {
  const caller = await ownerOfSession(services, koa);
  sendJson(koa, 200, await getQuestion(services, provider, koa, caller, uid));
}

/** Each consent creates a separate grant with exactly the scopes that were displayed. */
async function allow(provider: Provider, caller: UserOrAnonymous, interaction: Interaction): Promise<string> {
  const grant = new provider.Grant({
    accountId: String(caller.user?.id),
    clientId: String(interaction.params.client_id),
  });
  grant.addOIDCScope(getScopes(interaction));
  return grant.save();
}

/**
 * `POST {decision: 'allow' | 'deny'}` with the session's CSRF token: answers where the browser goes on to. Anything
 * but `allow` is no.
 */
export async function decideConsent(services: ApiServices, provider: Provider, koa: KoaContext, uid: string) {
  const caller = await ownerOfSession(services, koa);
  const interaction = await findRequest(provider, caller, uid);
  if (!hasCsrfToken(services, koa)) throw new BadCsrfToken(BAD_CSRF_TOKEN);
  const parameters = await webParams(koa, services, caller);
  interaction.result =
    textParam(parameters, 'decision') === 'allow'
      ? { consent: { grantId: await allow(provider, caller, interaction) } }
      : {
          error: 'access_denied',
          error_description: 'The resource owner or authorization server denied the request.',
        };
  await interaction.save(Math.max(interaction.exp - now(), 1));
  sendJson(koa, 200, { redirect_to: new URL(interaction.returnTo).pathname });
}
