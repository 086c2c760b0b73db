import Koa from 'koa';
import type { Context as KoaContext } from 'koa';
import { domains } from '../shared/domains.js';
import { boundRoutes } from './domains.js';
import { avatarMiddleware } from './instance/avatars/avatars.js';
import { apiReferenceMiddleware } from './instance/api-reference/api-reference.http.js';
import { helpMiddleware } from './instance/help/help.http.js';
import { patchLogMiddleware } from './ci/job-logs/patch-log.http.js';
import { probesMiddleware } from './instance/monitoring/probes.js';
import { graphqlMiddleware } from './core/graphql/requests/middleware.js';
import { compressAnswers } from './core/server/encodings.js';
import { everyAnswer, notFound } from './core/server/http.js';
import { limitUrlLength } from './core/server/url-length.js';
import { logUnsent } from './core/log-failure.js';
import { openApiMiddleware } from './core/openapi/document.js';
import { builtPages } from './core/pages/delivery.js';
import type { PageDelivery } from './core/pages/delivery.js';
import { noPageMiddleware, pagesMiddleware } from './core/pages/middleware.js';
import { problemPagesMiddleware } from './core/pages/problem-pages.js';
import { oneSlashBelowBase, restMiddleware } from './core/rest/rest.js';
import type { RestRoute } from './core/routes.js';
import type { ApiServices } from './core/services.js';
import { loadGraphql } from './graphql.js';
import { oauthMiddleware } from './auth/oauth/oauth.http.js';
import { ownAccessMiddleware } from './auth/user-sessions/own-access.http.js';
import { livePagesMiddleware } from './tenancy/project-details/live-pages.http.js';
import { ownTokensMiddleware } from './auth/personal-access-tokens/own-tokens.http.js';
import { snippetContentMiddleware } from './planning/snippets/snippets.http.js';
import { registryMiddleware } from './packages/container-registry/registry.http.js';
import { gitMiddleware } from './repositories/git-http/git-http.js';
import { sessionMiddleware } from './auth/user-sessions/sessions.http.js';

/** What the tables of `/help` are made of, which nothing else needs. */
async function loadDeclared(routes: readonly RestRoute[]) {
  const [{ settingsContents }, { plannedOperations }, { limitGroups }] = await Promise.all([
    import('./instance/api-reference/settings.js'),
    import('./instance/api-reference/contents.js'),
    import('./instance/api-reference/limits.js'),
  ]);
  return {
    routes,
    settings: { ...settingsContents(routes) },
    limits: limitGroups(),
    plans: plannedOperations(routes),
  };
}

/** The API as a Koa app that does not listen: tests use this too, and add routes of their own. */
export function buildApp(
  services: ApiServices,
  routes: readonly RestRoute[] = boundRoutes,
  pages: PageDelivery = builtPages(),
): Koa {
  const app = new Koa();
  app.on('error', (error: unknown, koa: KoaContext) => logUnsent(koa, services, error));
  app.use(problemPagesMiddleware);
  app.use(everyAnswer(services));
  app.use(compressAnswers);
  app.use(limitUrlLength);
  app.use(oneSlashBelowBase);
  app.use(openApiMiddleware(routes));
  app.use(patchLogMiddleware(services));
  app.use(restMiddleware(services, routes));
  app.use(probesMiddleware(services));
  app.use(graphqlMiddleware(services, loadGraphql));
  app.use(registryMiddleware(services));
  app.use(gitMiddleware(services));
  app.use(avatarMiddleware(services));
  app.use(apiReferenceMiddleware(routes, loadGraphql));
  app.use(helpMiddleware(() => loadDeclared(routes)));
  app.use(pagesMiddleware(services, pages));
  app.use(sessionMiddleware(services));
  app.use(oauthMiddleware(services));
  app.use(ownTokensMiddleware(services));
  app.use(ownAccessMiddleware(services));
  app.use(livePagesMiddleware(services, domains));
  app.use(snippetContentMiddleware(services));
  app.use(noPageMiddleware(pages));
  app.use(notFound);
  return app;
}
