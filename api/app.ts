import Koa from 'koa';
import { allRoutes } from './areas.js';
import { everyAnswer, nothingHere } from './core/http.js';
import { restMiddleware } from './core/rest.js';
import type { ApiServices } from './core/services.js';

/** The API as a Koa app that does not listen: tests use this too. */
export function buildApp(services: ApiServices): Koa {
  const app = new Koa();
  app.on('error', (error: unknown) => services.log.error({ err: error }, 'response failed'));
  app.use(everyAnswer(services));
  app.use(restMiddleware(services, allRoutes));
  app.use(nothingHere);
  return app;
}
