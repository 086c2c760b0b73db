import { timingSafeEqual } from 'node:crypto';
import type { Context as KoaContext, Middleware } from 'koa';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import type { Origin } from '../../../shared/core/context/context.js';
import { NotFound, Unauthenticated } from '../../../shared/core/values/errors.js';
import { syncRegistry } from '../../../shared/packages/container-registry/sync-registry.js';
import { grantRegistryToken } from '../../../shared/packages/container-registry/grant-access.js';
import { loadRegistryKey } from '../../../shared/packages/container-registry/registry-key.js';
import { readScopes } from '../../../shared/packages/container-registry/registry-scopes.js';
import { REGISTRY_SERVICE } from '../../../shared/packages/container-registry/registry-token.js';
import { openBody } from '../../core/bodies/guard.js';
import { readBytes } from '../../core/bodies/read-body.js';
import { ownerOfBasic } from '../../core/credentials/basic-credentials.js';
import { errorAnswer } from '../../core/rest-errors.js';
import { sendJson, sendNothing, sendErrorBody } from '../../core/respond.js';
import type { ApiServices } from '../../core/services.js';
import { webMiddleware } from '../../core/web-routes.js';

/** Of the notifications that are sent together. */
const NOTIFICATION_BYTES = 4 * 1024 * 1024;

/** Codes of refusals, as clients of registries know them. */
const CODES: Record<number, string> = {
  400: 'UNSUPPORTED',
  401: 'UNAUTHORIZED',
  403: 'DENIED',
  404: 'UNAVAILABLE',
  429: 'TOOMANYREQUESTS',
  503: 'UNAVAILABLE',
};

/** A refusal in the registry's own form, which clients show. */
function sendProblem(koa: KoaContext, services: ApiServices, error: unknown): void {
  const { status, headers, log } = errorAnswer(error);
  const { requestId } = koa.state.origin as Origin;
  if (log) services.log[log]({ err: error, correlation_id: requestId, path: koa.path }, 'no token for the registry');
  koa.set(headers ?? {});
  if (status === 499) return sendNothing(koa, status);
  const message = status === 500 ? '500 Internal Server Error' : (error as Error).message;
  sendErrorBody(koa, status, { errors: [{ code: CODES[status] ?? 'UNKNOWN', message }] });
}

/**
 * A token for the registry (docker's "Token Authentication Specification"); `account` and `client_id` are redundant.
 */
async function answerToken(koa: KoaContext, services: ApiServices): Promise<void> {
  try {
    const caller = await ownerOfBasic(services, koa);
    const query = new URLSearchParams(koa.querystring);
    if (query.get('service') !== REGISTRY_SERVICE) throw NotFound.saying('no such service');
    const ctx = new Context(services, caller, koa.state.origin as Origin);
    const { token, expiresIn, issuedAt } = await grantRegistryToken(ctx, readScopes(query.getAll('scope')));
    sendJson(koa, 200, { token, expires_in: expiresIn, issued_at: issuedAt.toISOString() });
  } catch (error) {
    sendProblem(koa, services, error);
  }
}

/** Receives the registry's events, once the registry has authenticated itself. */
async function takeNotification(koa: KoaContext, services: ApiServices): Promise<void> {
  const ctx = new Context(services, ANONYMOUS, koa.state.origin as Origin);
  const { notificationSecret } = await loadRegistryKey(ctx);
  const { keys } = services;
  const digest = keys.digest(koa.get('authorization'));
  if (!timingSafeEqual(digest, keys.digest(`Bearer ${notificationSecret}`))) throw new Unauthenticated('unknown');
  const content = await readBytes(openBody(services, koa, ANONYMOUS), NOTIFICATION_BYTES);
  await syncRegistry(ctx, parsed(content));
  sendNothing(koa, 200);
}

/** Null for invalid JSON, which contains no event. */
function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return null;
  }
}

/** Endpoints outside the API for clients of the container registry and for the registry itself. */
export function registryMiddleware(services: ApiServices): Middleware {
  return webMiddleware(services, [
    { methods: ['GET'], path: '/jwt/auth', handle: answerToken },
    { methods: ['POST'], path: '/jwt/notifications', handle: takeNotification },
  ]);
}
