import type { Context as KoaContext } from 'koa';
import type { Origin } from '../../../shared/core/context/context.js';
import { ProjectMoved, Unauthenticated } from '../../../shared/core/values/errors.js';
import { withoutCredentials } from '../credentials/credential-params.js';
import { withHelp } from '../error-help.js';
import { NoSuchRoute } from '../http-errors.js';
import { logFailure } from '../log-failure.js';
import { leastRole } from '../openapi/least-role.js';
import { sendNothing, sendErrorBody, sendText } from '../respond.js';
import { errorAnswer } from '../rest-errors.js';
import { REST_BASE } from '../routes.js';
import type { RestRoute } from '../routes.js';
import type { ApiServices } from '../services.js';

/** A GET by a project's old path goes on to the same path below its id (projects.md section 5.4). */
function sendMoved(koa: KoaContext, services: ApiServices, { projectId }: ProjectMoved) {
  const below = koa.path.slice(`${REST_BASE}/projects/`.length).replace(/^[^/]*/, '');
  const query = withoutCredentials(koa.querystring);
  const target = `${services.config.externalUrl}${REST_BASE}/projects/${projectId}${below}`;
  const location = query === '' ? target : `${target}?${query}`;
  koa.set('Location', location);
  sendText(koa, `This resource has been moved permanently to ${location}`, 301);
}

function logDenial(koa: KoaContext, services: ApiServices, error: unknown, status: number) {
  const route = koa.state.route as RestRoute | undefined;
  const { requestId, ip } = koa.state.origin as Origin;
  services.logDenial(error, {
    requestId,
    ip,
    route: route ? `${koa.method} ${route.path}` : koa.method,
    status,
    requiredRole: route ? leastRole(route) : null,
    check: checkBefore(error),
  });
}

/** The check that refused a request before its operation was reached. */
function checkBefore(error: unknown): 'credential' | 'route' | undefined {
  if (error instanceof NoSuchRoute) return 'route';
  return error instanceof Unauthenticated ? 'credential' : undefined;
}

/** Answers what went wrong. */
export function sendError(koa: KoaContext, services: ApiServices, error: unknown) {
  if (error instanceof ProjectMoved && (koa.method === 'GET' || koa.method === 'HEAD'))
    return sendMoved(koa, services, error);
  const { status, body, headers, log } = errorAnswer(error);
  if (status < 500) logDenial(koa, services, error, status);
  logFailure(koa, services, log, error, 'request failed');
  koa.set(headers ?? {});
  koa.remove('ETag');
  if (body === null) sendNothing(koa, status);
  else sendErrorBody(koa, status, withHelp(koa, services, error, body));
}
