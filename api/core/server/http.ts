import { randomUUID } from 'node:crypto';
import type { Context as KoaContext, Middleware } from 'koa';
import { answerInHand } from '../../../shared/core/bytes/answer-bytes.js';
import { AfterCommit } from '../../../shared/core/database/after-commit.js';
import { currentReads } from '../../../shared/core/database/driver/current-reads.js';
import { clientAddress } from '../../../shared/core/network/client-address.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { requestAnswered } from '../../../shared/core/metrics/count.js';
import { tracer } from '../../../shared/core/traces/tracing.js';
import type { Span } from '../../../shared/core/traces/spans.js';
import { sendNothing, sendErrorBody } from '../respond.js';
import { REST_BASE } from '../routes.js';
import type { RestRoute } from '../routes.js';
import { readServiceHeader, serviceHeaders } from './service-headers.js';
import type { ApiServices } from '../services.js';

const REQUEST_ID = /^[\w-]{1,128}$/;

const EXPOSED = 'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

function isPreflight(koa: KoaContext): boolean {
  return koa.method === 'OPTIONS' && koa.get('access-control-request-method') !== '';
}

/** Answers a CORS preflight: any request is allowed from any origin, without cookies. */
function answerPreflight(koa: KoaContext) {
  koa.set('Access-Control-Allow-Methods', METHODS);
  const headers = koa.get('access-control-request-headers');
  if (headers !== '') koa.set('Access-Control-Allow-Headers', headers);
  koa.set('Access-Control-Max-Age', '7200');
  sendNothing(koa);
}

function setCommonHeaders(koa: KoaContext, requestId: string) {
  koa.set('X-Request-Id', requestId);
  koa.set(serviceHeaders({ meta: JSON.stringify({ correlation_id: requestId, version: '1' }) }));
  koa.set('X-Content-Type-Options', 'nosniff');
  koa.set('X-Frame-Options', 'SAMEORIGIN');
  // Also set on uncompressed responses: the next response of the same address may be larger.
  koa.set('Vary', 'Origin, Accept-Encoding');
  // A default for responses that set no caching; a cached 404 would hide a resource created right after it.
  koa.set('Cache-Control', 'no-cache');
  if (koa.get('origin') === '') return;
  koa.set('Access-Control-Allow-Origin', '*');
  koa.set('Access-Control-Expose-Headers', EXPOSED);
}

/** A signal that is aborted when the client is gone before its answer is sent. */
function getSignal(koa: KoaContext): AbortSignal {
  const controller = new AbortController();
  koa.res.once('close', () => {
    if (!koa.res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The pattern that a request matched, as metrics, traces and logs name it: never its path. */
function getPattern(koa: KoaContext): string {
  const { route, pattern } = koa.state as { route?: RestRoute; pattern?: string };
  return route ? `${REST_BASE}${route.path}` : (pattern ?? 'none');
}

const getSpan = (koa: KoaContext, requestId: string): Span | undefined =>
  tracer()?.start(koa.method, {
    kind: 'server',
    parent: koa.get('traceparent'),
    attributes: { 'http.request.method': koa.method, correlation_id: requestId },
  });

function endSpan(span: Span, koa: KoaContext): void {
  const route = getPattern(koa);
  span.rename(`${koa.method} ${route}`);
  span.set({ 'http.route': route, 'http.response.status_code': koa.status });
  span.end(koa.status >= 500 ? koa.status : undefined);
}

/** The client's CAPTCHA response, if it sent one; an invalid spam log id counts as missing. */
function getCaptcha(koa: KoaContext): Origin['captcha'] {
  const response = readServiceHeader(koa, 'Captcha-Response');
  if (response === '') return undefined;
  const id = readServiceHeader(koa, 'Spam-Log-Id');
  return { response, spamLogId: /^\d{1,15}$/.test(id) ? Number(id) : null };
}

/**
 * What every answer has: request id, the same as `X-Service-Meta`, `X-Runtime`, CORS for any origin without credentials, and the headers that
 * keep browsers from guessing (rest-conventions.md section 9). One log line a request, its path without query.
 */
export function everyAnswer(services: ApiServices): Middleware {
  // What it logs is written below: no field of it could hold a secret, and looking for some takes as long as writing.
  const requests = services.log.child({}, { redact: [] });
  return async (koa, next) => {
    const started = performance.now();
    const header = koa.get('x-request-id');
    const requestId = REQUEST_ID.test(header) ? header : randomUUID();
    const ip = clientAddress(koa.req.socket.remoteAddress, koa.get('x-forwarded-for'), services.config.trustedProxies);
    const after = new AfterCommit();
    const origin: Origin = {
      requestId,
      ip,
      userAgent: koa.get('user-agent'),
      referer: koa.get('referer'),
      captcha: getCaptcha(koa),
      signal: getSignal(koa),
      after,
    };
    koa.state.origin = origin;
    services.lifecycle.opened(koa.res);
    // Who keeps its connection would go on being served by a process that is about to end.
    if (services.lifecycle.draining) koa.set('Connection', 'close');
    const span = getSpan(koa, requestId);
    setCommonHeaders(koa, requestId);
    if (isPreflight(koa)) answerPreflight(koa);
    else {
      try {
        const answer = () =>
          answerInHand.run(services.traffic.openAnswer(koa), () => currentReads.run({ reads: null }, next));
        await (span ? span.run(answer) : answer());
      } catch (error) {
        services.log.error({ err: error, correlation_id: requestId, path: koa.path }, 'request failed');
        sendErrorBody(koa, 500, { message: '500 Internal Server Error' });
      } finally {
        after.end();
      }
    }
    const seconds = (performance.now() - started) / 1000;
    koa.set('X-Runtime', seconds.toFixed(6));
    if (span) endSpan(span, koa);
    const { method, path, status } = koa;
    const route = getPattern(koa);
    requestAnswered(method, status, route, seconds);
    const line = { method, path, route, status, seconds, ip, correlation_id: requestId };
    // Probes come every few seconds, and say the same.
    requests[koa.state.quiet === true ? 'debug' : 'info'](line, 'request');
  };
}

/** What nothing serves: a JSON 404, as below `/api/v4`. */
export const notFound: Middleware = (koa) => sendErrorBody(koa, 404, { error: '404 Not Found' });
