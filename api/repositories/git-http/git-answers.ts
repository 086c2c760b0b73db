import type { Context as KoaContext } from 'koa';
import { CapstanError, Forbidden, InsufficientScope, Unauthenticated } from '../../../shared/core/values/errors.js';
import { GitFailed, isDiskFull, NotGitProtocol } from '../../../shared/git/index.js';
import { SERVICE_NAME } from '../../../shared/core/values/version.js';
import { logFailure } from '../../core/log-failure.js';
import { sendNothing, sendText } from '../../core/respond.js';
import { errorAnswer } from '../../core/rest-errors.js';
import type { ApiServices } from '../../core/services.js';

/** Caching headers that git sends with each of its responses. */
export const NO_CACHE = {
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
  Pragma: 'no-cache',
  Expires: 'Fri, 01 Jan 1980 00:00:00 GMT',
};

/** Git displays the text of an error response to its user, if it is plain text. */
const TEXTS: Record<number, string> = {
  400: 'This is no request of git.',
  404: 'There is no such project, or you may not see it.',
  408: 'The request came too slowly.',
  413: 'The request is too large.',
  415: 'Git sends another content type or encoding.',
  429: 'Too many tries. Try again later.',
  500: 'Something went wrong. The service has written down what.',
  503: 'The service is busy. Try again soon.',
  507: 'There is no space left on the disk of the service.',
};

const UNAUTHENTICATED: Record<Unauthenticated['kind'], string> = {
  missing: 'Sign in with your user name, and with an access token or your password.',
  unknown: 'Access denied: wrong user name, or wrong token or password.',
  expired: 'Access denied: the token has expired.',
  revoked: 'Access denied: the token was revoked.',
};

function getText(error: unknown, status: number): string {
  if (error instanceof Unauthenticated) return UNAUTHENTICATED[error.kind];
  if (error instanceof InsufficientScope) return `The token needs one of these scopes: ${error.accepted.join(', ')}.`;
  if (error instanceof Forbidden) return error.message.replace(/^403 Forbidden( - )?/, '') || 'You may not do this.';
  return TEXTS[status] ?? (error instanceof CapstanError ? error.message : TEXTS[500]!);
}

/** The text of an error for the git user's terminal. */
export const errorMessage = (error: unknown): string => getText(error, errorAnswer(error).status);

/** What git ends with when the other end does not speak its protocol, which is no fault of ours. */
const isBadRequest = (error: unknown) =>
  error instanceof NotGitProtocol || (error instanceof GitFailed && error.exitCode === 128 && !isDiskFull(error));

/** Sends an error in the form that git understands: a status, a plain text and, with 401, the authentication scheme. */
export function sendProblem(koa: KoaContext, services: ApiServices, error: unknown): void {
  const bad = isBadRequest(error);
  const { status, headers, log } = bad ? { status: 400, headers: {}, log: 'warn' as const } : errorAnswer(error);
  logFailure(koa, services, log, error, 'git request failed');
  koa.set(headers ?? {});
  if (status === 401) koa.set('WWW-Authenticate', `Basic realm="${SERVICE_NAME}", charset="UTF-8"`);
  if (status === 499) return sendNothing(koa, status);
  sendText(koa, `${getText(error, status)}\n`, status);
}
