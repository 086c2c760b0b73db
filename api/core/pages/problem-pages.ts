import type { Middleware } from 'koa';
import type { Origin } from '../../../shared/core/context/context.js';
import { isPageRequest } from './files.js';
import { sendProblemPage } from './problem-page.js';

/** The text of an error body (rest-conventions.md section 5): `message` or `error`, or the texts nested in either. */
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
 * Displays JSON errors as a page in browsers: an error of this or any later middleware becomes readable text when a
 * browser navigates there. Must precede every middleware that responds.
 */
export const problemPagesMiddleware: Middleware = async (koa, next) => {
  await next();
  if (koa.respond === false || koa.status < 400 || koa.response.type !== 'application/json') return;
  if (!isPageRequest(koa) || typeof koa.body !== 'string') return;
  const { requestId } = koa.state.origin as Origin;
  sendProblemPage(koa, { status: koa.status, text: formatProblem(JSON.parse(koa.body)), requestId });
};
