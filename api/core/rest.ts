import type { Context as KoaContext, Middleware } from 'koa';
import { Context } from '../../shared/core/context.js';
import type { Origin } from '../../shared/core/context.js';
import type { List } from '../../shared/core/list.js';
import { readAll } from '../../shared/core/list.js';
import { invoke } from '../../shared/core/operation.js';
import { presentAll, presentOne } from '../../shared/core/shape.js';
import type { Shape } from '../../shared/core/shape.js';
import { authenticate } from './authenticate.js';
import { readBag } from './bag.js';
import type { Bag } from './bag.js';
import { UrlTooLong } from './http-errors.js';
import { offsetPage } from './paging.js';
import { sendJson, sendNothing } from './respond.js';
import { errorAnswer } from './rest-errors.js';
import { RouteTable } from './route-table.js';
import type { Route } from './routes.js';
import type { ApiServices } from './services.js';
import { throttle } from './throttle.js';

export const REST_BASE = '/api/v4';
/** README decision 20. */
const MAX_URL = 16 * 1024;

function isList(result: unknown): result is List<unknown> {
  return typeof result === 'object' && result !== null && 'order' in result && 'from' in result;
}

async function answer(koa: KoaContext, ctx: Context, bag: Bag, route: Route, result: unknown) {
  const { present, paginate, status, respond } = route.options;
  if (respond) return respond(koa, ctx, result);
  const code = typeof status === 'function' ? status(result) : (status ?? 200);
  if (code === 204) return sendNothing(koa);
  const shape = (typeof present === 'function' ? present(ctx) : present) as Shape<unknown> | undefined;
  let body = result;
  if (isList(result)) {
    const records = paginate === 'none' ? await readAll(ctx, result) : await offsetPage(koa, ctx, bag, result);
    body = shape ? await presentAll(ctx, shape, records) : records;
  } else if (Array.isArray(result)) {
    body = shape ? await presentAll(ctx, shape, result) : result;
  } else if (shape) {
    body = await presentOne(ctx, shape, result);
  }
  sendJson(koa, code, body);
}

function sendError(koa: KoaContext, services: ApiServices, error: unknown, requestId: string) {
  const mapped = errorAnswer(error);
  if (!mapped) services.log.error({ err: error, request_id: requestId, path: koa.path }, 'request failed');
  const { status, body, headers } = mapped ?? { status: 500, body: { message: '500 Internal Server Error' } };
  koa.set(headers ?? {});
  koa.remove('ETag');
  if (body === null) sendNothing(koa, status);
  else sendJson(koa, status, body);
}

/** Serves the bound routes below `/api/v4`. */
export function restMiddleware(services: ApiServices, routes: readonly Route[]): Middleware {
  const table = new RouteTable(routes);
  return async (koa, next) => {
    if (!koa.path.startsWith(`${REST_BASE}/`) && koa.path !== REST_BASE) return next();
    const origin: Origin = koa.state.origin as Origin;
    try {
      if (koa.url.length > MAX_URL) throw new UrlTooLong();
      const { route, params } = table.match(koa.method, koa.path.slice(REST_BASE.length));
      koa.state.route = route;
      const bag = await readBag(koa, params);
      const caller = await authenticate(services, koa, bag);
      if (!(await throttle(services, koa, caller))) return;
      const ctx = new Context(services, caller, origin);
      const result = await invoke(ctx, route.operation, bag);
      await answer(koa, ctx, bag, route, result);
    } catch (error) {
      if (await throttle(services, koa)) sendError(koa, services, error, origin.requestId);
    }
  };
}
