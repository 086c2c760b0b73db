import type { Context as KoaContext, Middleware } from 'koa';
import type { Caller } from '../../shared/core/context/callers.js';
import { CapstanError } from '../../shared/core/values/errors.js';
import { createParameterMap, parseQuery } from './nested-params.js';
import type { RequestParameters } from './nested-params.js';
import { bodyMediaType, readForm, readParameters } from './bodies/read-body.js';
import { hasBody, openBody } from './bodies/guard.js';
import { logFailure } from './log-failure.js';
import { sendNothing, sendErrorBody } from './respond.js';
import { errorAnswer } from './rest-errors.js';
import type { ApiServices } from './services.js';

/** An endpoint for browsers outside the API: it reads cookies, sends redirects, and is not versioned. */
export interface WebRoute {
  methods: readonly string[];
  /** The whole path, or a pattern whose groups are the path parameters. */
  path: string | RegExp;
  handle(koa: KoaContext, services: ApiServices, params: Record<string, string>): Promise<void>;
}

/** The request's token for its session is missing or another's: 422, as over GraphQL. */
export class BadCsrfToken extends CapstanError {}

/** The query parameters. */
export const webQuery = (koa: KoaContext): RequestParameters =>
  koa.querystring === '' ? createParameterMap() : parseQuery(koa.querystring);

/**
 * The parameters of query and body: a form or JSON, detected by type or content; the body takes precedence.
 * @param caller the sender, known before the body is read
 */
export async function webParams(koa: KoaContext, services: ApiServices, caller: Caller): Promise<RequestParameters> {
  const query = webQuery(koa);
  if (koa.method === 'GET' || koa.method === 'HEAD' || !hasBody(koa)) return query;
  const read = ['application/json', ''].includes(bodyMediaType(koa)) ? readParameters : readForm;
  return Object.assign(query, await read(openBody(services, koa, caller)));
}

/** A parameter's text; any other type counts as missing. */
export const textParam = (parameters: RequestParameters, name: string): string => {
  const value = parameters[name];
  return typeof value === 'string' ? value : '';
};

/** Whether the client is a page rather than a script: it expects a redirect instead of JSON. */
export const wantsPage = (koa: KoaContext): boolean => koa.accepts('json', 'html') === 'html';

/** Goes on to `location` by GET. */
export function seeOther(koa: KoaContext, location: string): void {
  koa.set('Location', location);
  sendNothing(koa, 303);
}

function match(route: WebRoute, koa: KoaContext): Record<string, string> | null {
  if (!route.methods.includes(koa.method)) return null;
  if (typeof route.path === 'string') return koa.path === route.path ? {} : null;
  const found = route.path.exec(koa.path);
  return found ? { ...found.groups } : null;
}

function sendProblem(koa: KoaContext, services: ApiServices, error: unknown): void {
  if (error instanceof BadCsrfToken) return sendErrorBody(koa, 422, { message: error.message });
  const { status, body, headers, log } = errorAnswer(error);
  logFailure(koa, services, log, error, 'request failed');
  koa.set(headers ?? {});
  if (body === null) sendNothing(koa, status);
  else sendErrorBody(koa, status, body);
}

/** Serves endpoints outside the API; requests that match none of them are passed on. Responses are not cacheable. */
export function webMiddleware(services: ApiServices, routes: readonly WebRoute[]): Middleware {
  return async (koa, next) => {
    for (const route of routes) {
      const params = match(route, koa);
      if (!params) continue;
      koa.state.pattern = typeof route.path === 'string' ? route.path : route.path.source;
      koa.remove('Access-Control-Allow-Origin');
      try {
        await route.handle(koa, services, params);
      } catch (error) {
        sendProblem(koa, services, error);
      }
      koa.remove('ETag');
      koa.set('Cache-Control', 'no-store');
      return;
    }
    await next();
  };
}
