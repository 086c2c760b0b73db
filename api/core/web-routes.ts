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

/** An endpoint beside the API, for browsers: it reads cookies, answers redirects, and is part of no version. */
export interface WebRoute {
  methods: readonly string[];
  /** The whole path, or a pattern whose groups are the path's parameters. */
  path: string | RegExp;
  handle(koa: KoaContext, services: ApiServices, params: Record<string, string>): Promise<void>;
}

/** The request's token for its session is missing or another's: 422, as over GraphQL. */
export class BadCsrfToken extends CapstanError {}

/** What the query says. */
export const webQuery = (koa: KoaContext): RequestParameters =>
  koa.querystring === '' ? createParameterMap() : parseQuery(koa.querystring);

/**
 * What the query and the body say: a form or JSON, by its type or its look, the body winning.
 * @param caller who sends it, known before anything of it is read
 */
export async function webParams(koa: KoaContext, services: ApiServices, caller: Caller): Promise<RequestParameters> {
  const query = webQuery(koa);
  if (koa.method === 'GET' || koa.method === 'HEAD' || !hasBody(koa)) return query;
  const read = ['application/json', ''].includes(bodyMediaType(koa)) ? readParameters : readForm;
  return Object.assign(query, await read(openBody(services, koa, caller)));
}

/** A parameter's text; anything else counts as not given. */
export const textParam = (parameters: RequestParameters, name: string): string => {
  const value = parameters[name];
  return typeof value === 'string' ? value : '';
};

/** Whether a page asks rather than a script: it wants to be led on, not to be told. */
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

/** Serves endpoints beside the API; what none of them takes goes on. Their answers are kept by nobody. */
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
