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
  /** Somebody looks at the page that asks for consent. */
  Interaction: 60 * MINUTE,
  Grant: 3650 * DAY,
  Session: MINUTE,
} as const;

/** Where people are asked; `api/auth/oauth/consent.ts`. */
const consentPath = (uid: string): string => `/oauth/consent/${uid}`;

/** Scopes that a request names, without order. */
const scopesOf = (scope: unknown): string[] => (typeof scope === 'string' ? scope.split(' ').filter(Boolean) : []);

/**
 * What the request asks for may be granted without asking again: the same person allowed it before, and the
 * application can prove that it is the same. Each authorization is a grant of its own, so that one stolen code does
 * not end the others.
 */
async function loadExistingGrant(ctx: Context, provider: Provider, koa: KoaContextWithOIDC) {
  const { oidc } = koa;
  const scopes = scopesOf(oidc.params?.scope);
  // The library drops what it does not know; an application would take what it gets for what it asked for.
  const requestedScopes = scopesOf(koa.method === 'POST' ? oidc.body?.scope : koa.query.scope);
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
  // Once signed in, it would ask for signing in for ever.
  back.searchParams.delete('prompt');
  back.searchParams.delete('max_age');
  return `/users/sign_in?${new URLSearchParams({ redirect_to: back.pathname + back.search }).toString()}`;
}

/**
 * A key for ID tokens, made of the instance's secret. No scope here asks for an ID token; the library wants a key
 * nevertheless, and one of its own would be the same everywhere.
 */
function signingKey(services: ApiServices) {
  const pkcs8 = Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    services.keys.digest('oauth signing key'),
  ]);
  return { ...createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' }), use: 'sig' };
}

/** An application is told of, and ends, its own tokens only. */
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
      // A token bound to a key would be taken here without it.
      dPoP: { enabled: false },
      introspection: { enabled: true, allowedPolicy: ofItsOwn },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: ofItsOwn },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    // Who cannot keep a secret proves by PKCE to be who asked; S256 is the only method that the library knows.
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
      // It cannot be answered to the application, since nobody knows whether it is one.
      const { requestId = '' } = requestOrigin.getStore() ?? {};
      const problem =
        koa.status < 500
          ? { title: 'This request cannot be answered', text: out.error_description ?? out.error }
          : { text: `${koa.status} ${koa.message}` };
      sendProblemPage(koa, { status: koa.status, requestId, ...problem });
    },
  };
}

/**
 * The library's session is the service's own: who is signed in there, is here. It is marked as destroyed, so that the
 * library neither stores it nor sets a cookie of its own.
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

/** Tokens tell when they were made, as the public API's do. */
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

/** A client that could not prove itself is counted as a token that nobody has; who knows its secret is let through. */
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
