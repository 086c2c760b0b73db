import { randomUUID } from 'node:crypto';
import type { Context as KoaContext, Middleware } from 'koa';
import { answerInHand } from '../../shared/core/answer-bytes.js';
import type { Origin } from '../../shared/core/context.js';
import { clientAddress } from './client-address.js';
import { sendNothing, sendRefusal } from './respond.js';
import type { ApiServices } from './services.js';

const REQUEST_ID = /^[\w-]{1,128}$/;

const EXPOSED = 'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

function isPreflight(koa: KoaContext): boolean {
  return koa.method === 'OPTIONS' && koa.get('access-control-request-method') !== '';
}

/** A browser asks whether it may send a request: it may, any, from anywhere, without its cookies. */
function answerPreflight(koa: KoaContext) {
  koa.set('Access-Control-Allow-Methods', METHODS);
  const wanted = koa.get('access-control-request-headers');
  if (wanted !== '') koa.set('Access-Control-Allow-Headers', wanted);
  koa.set('Access-Control-Max-Age', '7200');
  sendNothing(koa);
}

function setCommonHeaders(koa: KoaContext, requestId: string) {
  koa.set('X-Request-Id', requestId);
  koa.set('X-Content-Type-Options', 'nosniff');
  koa.set('X-Frame-Options', 'SAMEORIGIN');
  koa.set('Vary', 'Origin');
  // Whoever knows better says so; a 404 that a cache keeps would hide what is made the moment after.
  koa.set('Cache-Control', 'no-cache');
  if (koa.get('origin') === '') return;
  koa.set('Access-Control-Allow-Origin', '*');
  koa.set('Access-Control-Expose-Headers', EXPOSED);
}

/** A signal that is aborted when the client is gone before its answer is sent. */
function signalOf(koa: KoaContext): AbortSignal {
  const controller = new AbortController();
  koa.res.once('close', () => {
    if (!koa.res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/**
 * What every answer has: request id, `X-Runtime`, CORS for any origin without credentials, and the headers that
 * keep browsers from guessing (rest-conventions.md section 9). One log line a request, its path without query.
 */
export function everyAnswer(services: ApiServices): Middleware {
  // What it logs is written below: no field of it could hold a secret, and looking for some takes as long as writing.
  const requests = services.log.child({}, { redact: [] });
  return async (koa, next) => {
    const started = performance.now();
    const given = koa.get('x-request-id');
    const requestId = REQUEST_ID.test(given) ? given : randomUUID();
    const ip = clientAddress(koa.req.socket.remoteAddress, koa.get('x-forwarded-for'), services.config.trustedProxies);
    const origin: Origin = { requestId, ip, signal: signalOf(koa) };
    koa.state.origin = origin;
    setCommonHeaders(koa, requestId);
    if (isPreflight(koa)) answerPreflight(koa);
    else {
      try {
        await answerInHand.run(services.traffic.openAnswer(koa), next);
      } catch (error) {
        services.log.error({ err: error, request_id: requestId, path: koa.path }, 'request failed');
        sendRefusal(koa, 500, { message: '500 Internal Server Error' });
      }
    }
    const seconds = (performance.now() - started) / 1000;
    koa.set('X-Runtime', seconds.toFixed(6));
    requests.info(
      { method: koa.method, path: koa.path, status: koa.status, seconds, ip, request_id: requestId },
      'request',
    );
  };
}

/** What nothing serves: a JSON 404, as below `/api/v4`. */
export const notFound: Middleware = (koa) => sendRefusal(koa, 404, { error: '404 Not Found' });
