import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Origin } from '../../shared/core/context.js';
import type { ApiServices } from './services.js';

const REQUEST_ID = /^[\w-]{1,128}$/;

const EXPOSED = 'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/**
 * What every answer has: request id, `X-Runtime`, CORS for any origin without credentials, and the headers that
 * keep browsers from guessing (rest-conventions.md section 9). One log line a request, its path without query.
 */
export function everyAnswer(services: ApiServices): Middleware {
  return async (koa, next) => {
    const started = performance.now();
    const given = koa.get('x-request-id');
    const requestId = REQUEST_ID.test(given) ? given : randomUUID();
    const origin: Origin = { requestId, ip: koa.ip };
    koa.state.origin = origin;
    koa.set('X-Request-Id', requestId);
    koa.set('X-Content-Type-Options', 'nosniff');
    koa.set('X-Frame-Options', 'SAMEORIGIN');
    koa.set('Vary', 'Origin');
    if (koa.get('origin') !== '') {
      koa.set('Access-Control-Allow-Origin', '*');
      koa.set('Access-Control-Expose-Headers', EXPOSED);
    }
    if (koa.method === 'OPTIONS') {
      koa.set('Access-Control-Allow-Methods', METHODS);
      koa.set('Access-Control-Allow-Headers', koa.get('access-control-request-headers'));
      koa.set('Access-Control-Max-Age', '7200');
      koa.status = 204;
    } else {
      await next();
    }
    const seconds = (performance.now() - started) / 1000;
    koa.set('X-Runtime', seconds.toFixed(6));
    services.log.info(
      { method: koa.method, path: koa.path, status: koa.status, seconds, request_id: requestId },
      'request',
    );
  };
}
