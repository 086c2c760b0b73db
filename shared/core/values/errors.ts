/**
 * The family of errors that an operation may throw. Each process maps them once:
 * REST in `api/core/rest-errors.ts`, GraphQL in `api/core/graphql-errors.ts`. Anything else is a bug.
 */
export abstract class CapstanError extends Error {
  /**
   * A hint on how to solve it, in addition to the message that clients match. Reveals nothing that the caller may not
   * know.
   */
  hint: string | null = null;

  /** The same error with a hint; none where there is nothing to say. */
  hinting(hint: string | null): this {
    this.hint = hint;
    return this;
  }

  /** Headers of REST's answer, in addition to those of its kind. */
  headers: Readonly<Record<string, string>> | null = null;

  /** The same error with such headers. */
  withHeaders(headers: Readonly<Record<string, string>>): this {
    this.headers = headers;
    return this;
  }

  override get name() {
    return this.constructor.name;
  }
}

/** No or bad credentials (rest-conventions.md section 2). */
export class Unauthenticated extends CapstanError {
  constructor(
    readonly kind: 'missing' | 'unknown' | 'expired' | 'revoked' = 'missing',
    message = '401 Unauthorized',
  ) {
    super(message);
  }
}

/** Absent, or the caller may not know that it exists. `noun` gives "404 Project Not Found". */
export class NotFound extends CapstanError {
  /** Whether the record exists but the caller may not see it; null if unchecked. Reported to administrators only. */
  hidden: boolean | null = null;

  /** The same error, knowing whether there is one. */
  hiding(hidden: boolean): this {
    this.hidden = hidden;
    return this;
  }

  constructor(noun?: string) {
    super(noun ? `404 ${noun} Not Found` : '404 Not found');
  }
  /** The unspecific spelling, "404 Not Found". */
  static unspecified(): NotFound {
    const error = new NotFound();
    error.message = '404 Not Found';
    return error;
  }
  /** A sentence of its own, without the number in front. */
  static saying(text: string): NotFound {
    const error = new NotFound();
    error.message = text;
    return error;
  }
  /** A reason of its own behind the number, such as "404 User with ID or username 'x' Not Found". */
  static because(text: string): NotFound {
    const error = new NotFound();
    error.message = `404 ${text}`;
    return error;
  }
}

/** Visible, not allowed. */
export class Forbidden extends CapstanError {
  constructor(reason?: string) {
    super(reason ? `403 Forbidden - ${reason}` : '403 Forbidden');
  }
  /** A sentence of its own, without the number in front. */
  static saying(text: string): Forbidden {
    const error = new Forbidden();
    error.message = text;
    return error;
  }
}

/** The token's scopes do not cover the operation. `accepted` are those that would. */
export class InsufficientScope extends CapstanError {
  constructor(readonly accepted: readonly string[]) {
    super('The request requires higher privileges than provided by the access token.');
  }
}

/** Declared parameters are missing or malformed: one text for each, in declaration order. */
export class BadParams extends CapstanError {
  constructor(readonly problems: string[]) {
    super(problems.join(', '));
  }
}

/**
 * A validation failed. `fields` is the hash form `{"message":{"cron":["…"]}}`; with `sentences` the list form; with a
 * plain text the sentence form. 400 unless the area specifies 405, 406, 409 or 422 (rest-conventions.md section 5).
 */
export class Invalid extends CapstanError {
  constructor(
    readonly detail: Record<string, string[] | string> | string[] | string,
    readonly status: 400 | 405 | 406 | 409 | 422 = 400,
  ) {
    super(typeof detail === 'string' ? detail : invalidSentences(detail).join(', '));
  }

  /** Keys of the response in addition to `message`, such as `error_code`. */
  more: Readonly<Record<string, string>> = {};

  /** The same error with such keys. */
  telling(more: Readonly<Record<string, string>>): this {
    this.more = more;
    return this;
  }
}

/** Every broken rule as a sentence of its own, for GraphQL's `errors`: `Cron syntax is invalid`. */
export function invalidSentences(detail: Invalid['detail']): string[] {
  if (typeof detail === 'string') return [detail];
  if (Array.isArray(detail)) return detail;
  return Object.entries(detail).flatMap(([field, texts]) =>
    [texts].flat().map((text) => (field === 'base' || field === 'error' ? text : `${humanize(field)} ${text}`)),
  );
}

function humanize(field: string) {
  const text = field.replaceAll('_', ' ').replaceAll('.', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * A project was requested by a former full path: REST redirects a GET to its id and rejects all other methods
 * (rest-conventions.md section 6).
 */
export class ProjectMoved extends CapstanError {
  constructor(readonly projectId: number) {
    super('Non GET methods are not allowed for moved projects');
  }
}

/** The record is not in the state that the request requires, or a concurrent request was faster. */
export class Conflict extends CapstanError {}

/** How a CAPTCHA settles whether a text is spam (graphql.md section 6.1). */
interface CaptchaChallenge {
  readonly siteKey: string;
  /** The entry of the spam log that the retry names. */
  readonly spamLogId: number;
}

/** A text is classified as spam; with a challenge, a solved CAPTCHA overrides this. */
export class SpamDetected extends CapstanError {
  constructor(readonly challenge: CaptchaChallenge | null) {
    super(challenge ? 'Request denied. Solve CAPTCHA challenge and retry' : 'Request denied. Spam detected');
  }
}

/** An answer without a body: 304 where nothing changed. */
export class NotModified extends CapstanError {
  constructor() {
    super('304 Not Modified');
  }
}

/** `If-Unmodified-Since` is older than the record. */
export class PreconditionFailed extends CapstanError {
  constructor() {
    super('412 Precondition Failed');
  }
}

/** What a setting of the instance has turned off for good: 410. */
export class Gone extends CapstanError {
  constructor(reason: string) {
    super(`410 Gone - ${reason}`);
  }
}

/** A part of a protocol that this service does without, as its clients expect to hear: 501. */
export class NotImplemented extends CapstanError {
  constructor() {
    super('501 Not Implemented');
  }
}

/** The request uses a feature that this resource does not support, such as keyset paging: 405 `{error}`. */
export class NotAllowed extends CapstanError {}

/** The job queue did not accept a job, so nothing was done: 500 with a text that describes the missing effect. */
export class QueueRejectedError extends CapstanError {
  constructor(message = '500 Internal Server Error', options?: ErrorOptions) {
    super(message, options);
  }
}

/** Too much: a body, a file, a query. */
export class TooLarge extends CapstanError {
  constructor(message = '413 Request Entity Too Large') {
    super(message);
  }
}

/** The response would exceed the maximum size: the caller has to request less. */
export class AnswerTooLarge extends CapstanError {
  /** @param limit bytes of an answer at most */
  constructor(limit: number) {
    super(
      `The answer would be larger than ${limit} bytes: ask for fewer records at once (per_page, first) or for less of them`,
    );
  }
}

/** More work of one kind waits than can be done soon: 503. `retryAfterSeconds` goes into `Retry-After`. */
export class Overloaded extends CapstanError {
  constructor(
    readonly retryAfterSeconds: number,
    options?: ErrorOptions,
  ) {
    super('503 Service Unavailable', options);
  }
}

/** No connection to the database came free soon enough, or none could be made. */
export class NoConnection extends Overloaded {
  constructor(options?: ErrorOptions) {
    super(1, options);
  }
}

/** The database ended a statement, or a transaction that waited, when its time was up. */
export class StatementTimedOut extends Overloaded {
  constructor(options?: ErrorOptions) {
    super(10, options);
  }
}

/**
 * The connection was lost between the commit and its confirmation: the change may have been made. Callers are not
 * invited to retry.
 */
export class CommitUnknown extends CapstanError {
  constructor(options?: ErrorOptions) {
    super('503 Service Unavailable - The change may have been made: look before you repeat it', options);
  }
}

/** The client disconnected before its response was ready: its work is discarded, and the response is never read. */
export class ClientGone extends CapstanError {
  constructor() {
    super('499 Client Closed Request');
  }
}

/** Too often. `retryAfterSeconds` goes into `Retry-After`. */
export class RateLimited extends CapstanError {
  constructor(readonly retryAfterSeconds: number) {
    super('This endpoint has been requested too many times. Try again later.');
  }
}

/** Validation errors by field, in the wording that callers see. */
export type Problems = Record<string, string[]>;

/** Where a request was refused. */
export interface DeniedRequest {
  requestId: string;
  ip: string | null;
  /** Method and pattern of its route, or the field of GraphQL; never its path. */
  route: string;
  status: number;
  /** The lowest role that the route's operation requires; null if it requires none. */
  requiredRole: string | null;
  /**
   * The check that rejected a request that reached no operation: its credential is invalid, or the route does not
   * exist.
   */
  check?: 'credential' | 'route' | undefined;
}
