import type { Middleware } from 'koa';
import { hintOfPath } from '../error-help.js';
import { NoSuchRoute } from '../http-errors.js';
import { REST_BASE } from '../routes.js';
import type { RestRoute } from '../routes.js';
import type { ApiServices } from '../services.js';
import { throttle } from '../throttle.js';
import { AreaRouters } from './area-routers.js';
import { sendError } from './send-error.js';

/** Several slashes right after `/api/v4` count as one, for everything that reads the path (rest-conventions.md section 1). */
export const oneSlashBelowBase: Middleware = (koa, next) => {
  if (koa.path.startsWith(`${REST_BASE}//`)) koa.path = koa.path.replace(/^\/api\/v4\/+/, `${REST_BASE}/`);
  return next();
};

/** Serves the bound routes below `/api/v4`: each by the router of its area. */
export function restMiddleware(services: ApiServices, routes: readonly RestRoute[]): Middleware {
  const routers = new AreaRouters(services, routes);
  return async (koa, next) => {
    if (!koa.path.startsWith(`${REST_BASE}/`) && koa.path !== REST_BASE) return next();
    try {
      await routers.serve(koa);
    } catch (error) {
      if (!(await throttle(services, koa))) return;
      if (error instanceof NoSuchRoute)
        error.hinting(await hintOfPath(services, koa, koa.path.slice(REST_BASE.length)));
      sendError(koa, services, error);
    }
  };
}
