import { createPrivateKey, timingSafeEqual } from 'node:crypto';
import Provider, { errors } from 'oidc-provider';
import type { Configuration, Interaction, KoaContextWithOIDC } from 'oidc-provider';
import { AsyncLocalStorage } from 'node:async_hooks';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import { RateLimited } from '../../../shared/core/values/errors.js';
import { hasAllowed } from '../../../shared/auth/oauth/grants.js';
import { TOKEN_SCOPES } from '../../../shared/auth/personal-access-tokens/create-token.js';
import { isActiveUser } from '../../../shared/tenancy/users/user.finder.js';
import type { ApiServices } from '../../core/services.js';
import { errorAnswer } from '../../core/rest-errors.js';
import { ownerOfSession } from '../../core/credentials/session-cookie.js';
import { sendProblemPage } from '../../core/pages/problem-page.js';
import { countGuess } from '../../core/credentials/token-guesses.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { oauthAdapter } from './adapter.js';

/** Where the request in hand came from. The library calls its adapter without the request, and events name the address. */
export const requestOrigin = new AsyncLocalStorage<Origin>();

const MINUTE = 60;
const DAY = 86_400;

/** Seconds that things last, by the library's names for them. */
const TTL = {
  AccessToken: 120 * MINUTE,
  AuthorizationCode: 10 * MINUTE,
  /** A refresh token is replaced by each use. */
  RefreshToken: 180 * DAY,
  /** Time that a user has on the consent page. */
  Interaction: 60 * MINUTE,
  Grant: 3650 * DAY,
  Session: MINUTE,
} as const;

/** Path of the consent page; `api/auth/oauth/consent.ts`. */
const consentPath = (uid: string): string => `/oauth/consent/${uid}`;

/** Scopes that a request names, without order. */
const getScopes = (scope: unknown): string[] => (typeof scope === 'string' ? scope.split(' ').filter(Boolean) : []);

/**
 * The requested scopes may be granted without another consent if the same user allowed them before and the application
 * can prove its identity. Each authorization is a separate grant, so one stolen code does not revoke the others.
 */
async function loadExistingGrant(ctx: Context, provider: Provider, koa: KoaContextWithOIDC) {
  const { oidc } = koa;
  const scopes = getScopes(oidc.params?.scope);
  // The library drops unknown scopes; an application would assume that it got everything it requested.
  const requestedScopes = getScopes(koa.method === 'POST' ? oidc.body?.scope : koa.query.scope);
  const unknown = requestedScopes.filter((scope) => !(TOKEN_SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0 || scopes.length === 0)
    throw new errors.InvalidScope('The requested scope is invalid, unknown, or malformed.', unknown.join(' '));
  const decided = oidc.result?.consent?.grantId;
  if (decided) return provider.Grant.find(decided);
  const { accountId } = oidc.session ?? {};
  const { clientId, clientAuthMethod } = oidc.client ?? {};
  if (!accountId || !clientId || clientAuthMethod === 'none') return undefined;
  if (!(await hasAllowed(ctx, { clientId, userId: Number(accountId), scopes }))) return undefined;
  const grant = new provider.Grant({ accountId, clientId });
  grant.addOIDCScope(scopes);
  await grant.save();
  return grant;
}

/** The page to go to before a request can be answered: signing in, and back here; or consent. */
function interactionUrl(koa: KoaContextWithOIDC, interaction: Interaction): string {
  if (interaction.prompt.name !== 'login') return consentPath(interaction.uid);
  const back = new URL(koa.originalUrl, 'http://here.invalid');
  // Otherwise the request would require another sign-in after each sign-in, forever.
  back.searchParams.delete('prompt');
  back.searchParams.delete('max_age');
  return `/users/sign_in?${new URLSearchParams({ redirect_to: back.pathname + back.search }).toString()}`;
}

/**
 * Signing key for ID tokens, derived from the instance's secret. No scope requests an ID token, but the library
 * requires a key, and its default key would be the same on every instance.
 */
function signingKey(services: ApiServices) {
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    services.keys.digest('oauth signing key'),
  ]);
  return { ...createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' }), use: 'sig' };
}

/** An application may inspect and revoke only its own tokens. */
const ofItsOwn = (_koa: unknown, client: { clientId: string }, token: { clientId?: string | undefined }) =>
  token.clientId === client.clientId;

function configuration(services: ApiServices, provider: () => Provider): Configuration {
  const context = () => new Context(services, ANONYMOUS, requestOrigin.getStore());
  return {
    adapter: (kind) => oauthAdapter(context, kind),
    jwks: { keys: [signingKey(services)] } as NonNullable<Configuration['jwks']>,
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      revocation: '/oauth/revoke',
      introspection: '/oauth/introspect',
      jwks: '/oauth/discovery/keys',
    },
    scopes: [...TOKEN_SCOPES],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    features: {
      devInteractions: { enabled: false },
      // Tokens bound to a key would be accepted here without proof of that key.
      dPoP: { enabled: false },
      introspection: { enabled: true, allowedPolicy: ofItsOwn },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: ofItsOwn },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    // Clients without a secret prove their identity by PKCE; the library supports only the method S256.
    pkce: { required: (_koa, client) => client.clientAuthMethod === 'none' },
    ttl: TTL,
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    revokeGrantPolicy: () => true,
    // Signing out ends the session; what was allowed to applications lasts until it is revoked.
    expiresWithSession: () => false,
    cookies: {
      keys: [services.keys.digest('oauth cookies').toString('base64url')],
      names: { interaction: '_oauth_interaction', resume: '_oauth_resume', session: '_oauth_session' },
      short: { httpOnly: true, sameSite: 'lax', overwrite: true, signed: true },
    },
    // Applications in browsers, of any origin, fetch their tokens themselves: no cookie counts there.
    clientBasedCORS: () => true,
    interactions: { url: interactionUrl },
    loadExistingGrant: (koa) => loadExistingGrant(context(), provider(), koa),
    async findAccount(_koa, id) {
      if (!(await isActiveUser(context(), Number(id)))) return undefined;
      return { accountId: id, claims: () => ({ sub: id }) };
    },
    renderError(koa, out) {
      // The error cannot be returned to the application, because its identity is unverified.
      const { requestId = '' } = requestOrigin.getStore() ?? {};
      const problem =
        koa.status < 500
          ? { title: 'Invalid authorization request', text: out.error_description ?? out.error }
          : { text: `${koa.status} ${koa.message}` };
      sendProblemPage(koa, { status: koa.status, requestId, ...problem });
    },
  };
}

/**
 * The library's session is the service's session: a user signed in to the service is signed in here. It is marked as
 * destroyed, so the library neither stores it nor sets its own cookie.
 */
function useOwnSessions(provider: Provider, services: ApiServices): void {
  provider.Session.get = async (koa) => {
    const { user, session } = await ownerOfSession(services, koa);
    const virtual = new provider.Session();
    if (user && session) {
      const id = String(session.id);
      Object.assign(virtual, { accountId: String(user.id), uid: id, jti: id });
    }
    Reflect.defineProperty(virtual, 'destroyed', { value: true, writable: true });
    Reflect.defineProperty(virtual, 'touched', { value: false, writable: true });
    (koa as KoaContextWithOIDC).oidc?.entity('Session', virtual);
    return virtual;
  };
}

/** Adds the creation time to token responses, as the public API does. */
function addCreationTime(provider: Provider): void {
  provider.use(async (koa, next) => {
    await next();
    const body = koa.body as Record<string, unknown> | undefined;
    if (koa.status === 200 && typeof body?.access_token === 'string') body.created_at = Math.floor(Date.now() / 1000);
  });
}

/** A revocation is answered with JSON, as the public API does: clients parse what they get. */
function answerRevocations(provider: Provider): void {
  provider.use(async (koa, next) => {
    await next();
    if (koa.method !== 'POST' || koa.path !== '/oauth/revoke' || koa.status !== 200) return;
    koa.body = {};
    koa.set('Content-Type', 'application/json');
  });
}

/** Counts failed client authentication like an invalid token; clients that know their secret are let through. */
function countGuesses(provider: Provider, services: ApiServices): void {
  provider.use(async (koa, next) => {
    await next();
    const origin = requestOrigin.getStore();
    if (koa.status !== 401 || !origin) return;
    const { client } = (koa as KoaContextWithOIDC).oidc ?? {};
    const wait = await countGuess(services, origin, `application ${client?.clientId ?? 'unknown'}`);
    if (wait === null) return;
    const { status, body, headers } = errorAnswer(new RateLimited(wait));
    koa.remove('WWW-Authenticate');
    koa.set(headers ?? {});
    koa.status = status;
    koa.body = body;
  });
}

/** The OAuth 2.0 provider of a service that listens: its issuer is the service's URL. */
export function createProvider(services: ApiServices): Provider {
  const provider: Provider = new Provider(
    services.config.externalUrl,
    configuration(services, () => provider),
  );
  // It reads protocol and host from headers that the app sets itself (`oauth.http.ts`).
  provider.proxy = true;
  useOwnSessions(provider, services);
  addCreationTime(provider);
  answerRevocations(provider);
  countGuesses(provider, services);
  provider.Client.prototype.compareClientSecret = function compare(actual: string) {
    const digest = services.keys.digest(actual);
    const expected = Buffer.from(this.clientSecret ?? '', 'base64url');
    return expected.length === digest.length && timingSafeEqual(digest, expected);
  };
  provider.on('server_error', (_koa, error) => services.log.error({ err: error }, 'oauth request failed'));
  return provider;
}
