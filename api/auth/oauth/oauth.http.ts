import type { Context as KoaContext, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { getClientNetwork } from '../../../shared/core/values/client-network.js';
import { RateLimited } from '../../../shared/core/values/errors.js';
import { bodyMediaType, readBytes } from '../../core/bodies/read-body.js';
import { hasBody, openBody } from '../../core/bodies/guard.js';
import { UrlTooLong } from '../../core/http-errors.js';
import { sendJson } from '../../core/respond.js';
import type { ApiServices } from '../../core/services.js';
import { webMiddleware } from '../../core/web-routes.js';
import type { WebRoute } from '../../core/web-routes.js';
import { requestOrigin } from './provider.js';
import { tokenInfo } from './token-info.js';

/** Characters of a request for authorization, in a URL or a form. */
const MAX_AUTHORIZATION = 8 * 1024;
/** Bytes of any other form that the library reads. */
const MAX_FORM = 56 * 1024;

/** The library is loaded by the first request that needs it, when the service knows its own URL. */
type Load = () => Promise<{ provider: Provider; callback: ReturnType<Provider['callback']> }>;

function loader(services: ApiServices): Load {
  let loaded: ReturnType<Load> | undefined;
  return () => {
    loaded ??= import('./provider.js').then(({ createProvider }) => {
      const provider = createProvider(services);
      return { provider, callback: provider.callback() };
    });
    return loaded;
  };
}

/** The public API's name for a scope that a request leaves out. */
function withDefaultScope(koa: KoaContext): void {
  if (koa.path !== '/oauth/authorize' || koa.method !== 'GET') return;
  const query = new URLSearchParams(koa.querystring);
  if ((query.get('scope') ?? '') !== '') return;
  query.set('scope', 'api');
  koa.req.url = `${koa.path}?${query.toString()}`;
}

/** Limits the size and rate of authorization requests, because each is stored until the user has decided. */
async function guardAuthorization(services: ApiServices, koa: KoaContext): Promise<void> {
  if (koa.path !== '/oauth/authorize') return;
  const usage = await services.limiter.consume('oauth_authorize', [
    'address',
    getClientNetwork((koa.state.origin as Origin).ip),
  ]);
  if (usage?.exceeded) throw new RateLimited(usage.retryAfterSeconds);
}

/** Reads a form by the rules for bodies, and leaves it to the library, which has none for slow ones. */
async function readFormFirst(services: ApiServices, koa: KoaContext): Promise<void> {
  if (!hasBody(koa) || bodyMediaType(koa) !== 'application/x-www-form-urlencoded') return;
  const limit = koa.path === '/oauth/authorize' ? MAX_AUTHORIZATION : MAX_FORM;
  const bytes = await readBytes(openBody(services, koa, ANONYMOUS), limit);
  // All that the library looks at.
  Object.defineProperties(koa.req, { readable: { value: true }, iterator: { value: () => [bytes] } });
}

/** Hands a request over to the library, which writes the answer itself. */
async function handOver(services: ApiServices, load: Load, koa: KoaContext): Promise<void> {
  if (koa.url.length > MAX_AUTHORIZATION) throw new UrlTooLong();
  const { callback } = await load();
  await guardAuthorization(services, koa);
  await readFormFirst(services, koa);
  withDefaultScope(koa);
  // URLs are made for browsers: by the service's own name, not by the one that a connection or a header gives it.
  const { protocol, host } = new URL(services.config.externalUrl);
  koa.req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  koa.req.headers['x-forwarded-host'] = host;
  koa.respond = false;
  koa.res.statusCode = 404;
  await callback(koa.req, koa.res);
}

/** decisions/0013-oauth.md */
export function oauthMiddleware(services: ApiServices): Middleware {
  const load = loader(services);
  const library = (methods: string[], path: string | RegExp): WebRoute => ({
    methods,
    path,
    handle: (koa) => handOver(services, load, koa),
  });
  const routes: WebRoute[] = [
    library(['GET', 'POST'], '/oauth/authorize'),
    library(['GET'], /^\/oauth\/authorize\/[\w-]+$/),
    library(['POST', 'OPTIONS'], '/oauth/token'),
    library(['POST', 'OPTIONS'], '/oauth/revoke'),
    library(['POST', 'OPTIONS'], '/oauth/introspect'),
    library(['GET'], '/oauth/discovery/keys'),
    library(['GET'], '/.well-known/oauth-authorization-server'),
    {
      methods: ['GET'],
      path: '/oauth/token/info',
      handle: async (koa) => {
        const { status, body } = await tokenInfo(services, koa);
        sendJson(koa, status, body);
      },
    },
    {
      methods: ['GET', 'POST'],
      path: /^\/oauth\/consent\/(?<uid>[\w-]+)$/,
      async handle(koa, _services, { uid = '' }) {
        const { decideConsent, showConsent } = await import('./consent.js');
        const { provider } = await load();
        if (koa.method === 'POST') await decideConsent(services, provider, koa, uid);
        else await showConsent(services, provider, koa, uid);
      },
    },
  ];
  return webMiddleware(
    services,
    routes.map((route) => ({
      ...route,
      handle: (koa, ...rest) => requestOrigin.run(koa.state.origin as Origin, () => route.handle(koa, ...rest)),
    })),
  );
}
