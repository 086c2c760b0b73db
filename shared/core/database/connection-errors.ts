import pg from 'pg';

/** SQLSTATE of a connection that was lost: the class of all such errors begins with the same two characters. */
const CONNECTION_FAILURE = '08006';

/**
 * A connection to the database could not be established, or was lost. It has PostgreSQL's code for this failure, so
 * that its code identifies it like any other database error, even after the ORM or the queue has wrapped it.
 */
export class LostConnection extends Error {
  readonly code = CONNECTION_FAILURE;

  override get name() {
    return 'LostConnection';
  }
}

/** The system's codes for a host that does not answer, or a connection that broke. */
const SYSTEM_CODES = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** The driver sets no code on these errors; each message corresponds to a system error code. */
const BY_MESSAGE: [RegExp, string][] = [
  [/timeout/i, 'ETIMEDOUT'],
  [/connection terminated|connection ended|not queryable/i, 'ECONNRESET'],
];

/** The code of a driver error, or the code that its message corresponds to; undefined if there is none. */
export function failureCode({ code, message = '' }: { code?: string; message?: string }): string | undefined {
  return code ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
}

/**
 * Converts a driver error to a {@link LostConnection} if it means one; errors from the server are unchanged. Only for
 * errors of database connections: other errors have the same codes.
 */
export function asConnectionError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof LostConnection || typeof error !== 'object' || !error)
    return error;
  const code = failureCode(error as { code?: string; message?: string });
  if (code === undefined || !SYSTEM_CODES.has(code)) return error;
  return new LostConnection((error as Error).message || code, { cause: error });
}
