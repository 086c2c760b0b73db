import type { Middleware } from 'koa';
import type { Origin } from '../../../shared/core/context/context.js';
import { isPageRequest } from './files.js';
import { sendProblemPage } from './problem-page.js';

/** The words of a refusal (rest-conventions.md section 5): `message`, or `error`, or what is below either of them. */
function formatProblem(body: unknown): string {
  if (body === null || typeof body !== 'object') return String(body);
  if (Array.isArray(body)) return body.map(formatProblem).join(', ');
  const { message, error_description: description, error } = body as Record<string, unknown>;
  const said = message ?? description ?? error;
  if (said !== undefined) return formatProblem(said);
  return Object.entries(body)
    .map(([name, problems]) => `${name} ${formatProblem(problems)}`)
    .join('; ');
}

/**
 * Shows people as a page what programs are told as JSON: whatever refuses a request, here or further on, a browser that
 * goes there says it in words. Stands before everything that answers.
 */
export const problemPagesMiddleware: Middleware = async (koa, next) => {
  await next();
  if (koa.respond === false || koa.status < 400 || koa.response.type !== 'application/json') return;
  if (!isPageRequest(koa) || typeof koa.body !== 'string') return;
  const { requestId } = koa.state.origin as Origin;
  sendProblemPage(koa, { status: koa.status, text: formatProblem(JSON.parse(koa.body)), requestId });
};
