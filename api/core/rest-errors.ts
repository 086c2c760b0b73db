import {
  AnswerTooLarge,
  BadParams,
  ClientGone,
  CommitUnknown,
  Conflict,
  Forbidden,
  Gone,
  InsufficientScope,
  Invalid,
  NoConnection,
  NotAllowed,
  NotFound,
  NotImplemented,
  NotModified,
  Overloaded,
  PreconditionFailed,
  ProjectMoved,
  QueueRejectedError,
  RateLimited,
  SpamDetected,
  StatementTimedOut,
  TooLarge,
  Unauthenticated,
} from '../../shared/core/values/errors.js';
import type { CapstanError } from '../../shared/core/values/errors.js';
import { translateOutage } from '../../shared/core/values/database-errors.js';
import { ObjectMissing, StoreUnavailable } from '../../shared/core/object-store/object-store.js';
import { isDiskFull } from '../../shared/git/index.js';
import { BodyTooSlow, ConnectionLost, NoSuchRoute, UnsupportedType, UrlTooLong, WrongMethod } from './http-errors.js';

export interface ErrorAnswer {
  status: number;
  body: Record<string, unknown> | null;
  headers?: Record<string, string>;
  /** Log level of the cause, if it is more than a client error. */
  log?: 'warn' | 'error';
}

const OAUTH_TEXTS = {
  expired: 'Token is expired. You can either do re-authorization or token refresh.',
  revoked: 'Token was revoked. You have to re-authorize from the user.',
} as const;

function unauthenticated(error: Unauthenticated): ErrorAnswer {
  if (error.kind !== 'expired' && error.kind !== 'revoked') return { status: 401, body: { message: error.message } };
  const description = OAUTH_TEXTS[error.kind];
  return {
    status: 401,
    body: { error: 'invalid_token', error_description: description },
    headers: {
      'WWW-Authenticate': `Bearer realm="The API", error="invalid_token", error_description="${description}"`,
    },
  };
}

type Mapping = [new (...args: never[]) => CapstanError, (error: never) => ErrorAnswer];

const withMessage = (status: number) => (error: CapstanError) => ({ status, body: { message: error.message } });
const withError = (status: number) => (error: CapstanError) => ({ status, body: { error: error.message } });

const overloaded = (error: Overloaded) => ({
  status: 503,
  body: { message: error.message },
  headers: { 'Retry-After': String(error.retryAfterSeconds) },
});

/** 409 also where no CAPTCHA can settle it, so that clients look for one status (graphql.md section 6.2). */
const spam = ({ message, challenge }: SpamDetected) => ({
  status: 409,
  body: {
    ...(challenge
      ? { needs_captcha_response: true, spam_log_id: challenge.spamLogId, captcha_site_key: challenge.siteKey }
      : {}),
    message: { error: message },
  },
});

/** The whole family, once (house style, "Errors"; rest-conventions.md sections 2, 3 and 5). */
const MAPPINGS: Mapping[] = [
  [Unauthenticated, unauthenticated],
  [NotFound, withMessage(404)],
  [Forbidden, withMessage(403)],
  [BadParams, withError(400)],
  [Invalid, (error: Invalid) => ({ status: error.status, body: { message: error.detail, ...error.more } })],
  [
    InsufficientScope,
    (error: InsufficientScope) => ({
      status: 403,
      body: { error: 'insufficient_scope', error_description: error.message, scope: error.accepted.join(' ') },
    }),
  ],
  [Conflict, withMessage(409)],
  [SpamDetected, spam],
  [NotModified, () => ({ status: 304, body: null })],
  [Gone, withMessage(410)],
  [PreconditionFailed, withMessage(412)],
  [TooLarge, withMessage(413)],
  [NotAllowed, withError(405)],
  [NotImplemented, withMessage(501)],
  [ProjectMoved, withMessage(405)],
  [
    QueueRejectedError,
    (error: QueueRejectedError) => ({ status: 500, body: { message: error.message }, log: 'error' }),
  ],
  [
    RateLimited,
    (error: RateLimited) => ({
      status: 429,
      body: { message: { error: error.message } },
      headers: { 'Retry-After': String(error.retryAfterSeconds) },
    }),
  ],
  [NoConnection, (error: NoConnection) => ({ ...overloaded(error), log: 'warn' })],
  [StatementTimedOut, (error: StatementTimedOut) => ({ ...overloaded(error), log: 'warn' })],
  [ObjectMissing, (error: ObjectMissing) => ({ status: 500, body: { message: error.message }, log: 'error' })],
  [
    StoreUnavailable,
    (error: StoreUnavailable) => ({
      status: 503,
      body: { message: error.message },
      headers: { 'Retry-After': '30' },
      log: 'error',
    }),
  ],
  // A `Retry-After` header would make clients perform the operation twice.
  [CommitUnknown, (error: CommitUnknown) => ({ status: 503, body: { message: error.message }, log: 'error' })],
  [Overloaded, overloaded],
  [ClientGone, () => ({ status: 499, body: null })],
  [AnswerTooLarge, withMessage(422)],
  [NoSuchRoute, withError(404)],
  [UnsupportedType, withError(415)],
  [UrlTooLong, withError(414)],
  [ConnectionLost, withError(400)],
  // The rest of the body may never arrive.
  [
    BodyTooSlow,
    (error: BodyTooSlow) => ({ status: 408, body: { error: error.message }, headers: { Connection: 'close' } }),
  ],
  [
    WrongMethod,
    (error: WrongMethod) => ({
      status: 405,
      body: { error: error.message },
      headers: { Allow: error.allowed.join(', ') },
    }),
  ],
];

const lock: ErrorAnswer = { status: 409, body: { message: '409 Conflict: Resource lock' }, log: 'warn' };
const unstorable: ErrorAnswer = {
  status: 400,
  body: { message: '400 Bad request - A value cannot be stored' },
  log: 'warn',
};

/**
 * Errors of PostgreSQL by code that occur although every check passed: the row or unique value was inserted or deleted
 * concurrently, or no column can store the value. Areas check both first and handle the index with `onUniqueViolation`
 * for better messages; this prevents a race from resulting in a 500.
 */
const DATABASE_ERRORS: Record<string, ErrorAnswer> = {
  '23503': lock,
  '23505': lock,
  '22003': unstorable,
  '22008': unstorable,
  '22021': unstorable,
  '22P05': unstorable,
};

/** Nothing can be written, which only the operator can fix: a separate status, logged as an error. */
const FULL_DISK: ErrorAnswer = { status: 507, body: { message: '507 Insufficient Storage' }, log: 'error' };

const BUG: ErrorAnswer = { status: 500, body: { message: '500 Internal Server Error' }, log: 'error' };

const withHeaders = (answer: ErrorAnswer, { headers }: CapstanError): ErrorAnswer =>
  headers ? { ...answer, headers: { ...answer.headers, ...headers } } : answer;

/** The answer for an error of the family; anything else is a bug, answered 500 without details. */
export function errorAnswer(cause: unknown): ErrorAnswer {
  const error = translateOutage(cause);
  for (const [kind, answer] of MAPPINGS) {
    if (error instanceof kind) return withHeaders(answer(error as never), error);
  }
  if (isDiskFull(error)) return FULL_DISK;
  const code = (error as { code?: unknown } | null)?.code;
  return (typeof code === 'string' && DATABASE_ERRORS[code]) || BUG;
}
