import pg from 'pg';

/** SQLSTATE of a connection that was lost: the class of all such errors begins with the same two characters. */
const CONNECTION_FAILURE = '08006';

/**
 * A connection to the database could not be made, or was lost. It has the code that PostgreSQL gives to the same, so
 * that it is told by its code like any other error of the database, also once the ORM or the queue has wrapped it.
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

/** The driver gives no code with these; each stands for one of the system's. */
const BY_MESSAGE: [RegExp, string][] = [
  [/timeout/i, 'ETIMEDOUT'],
  [/connection terminated|connection ended|not queryable/i, 'ECONNRESET'],
];

/** The code of an error that the driver raised, or that its words stand for; undefined where they stand for none. */
export function failureCode({ code, message = '' }: { code?: string; message?: string }): string | undefined {
  return code ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
}

/**
 * The error of a driver, as a {@link LostConnection} where it means that; what the server said stays as it is. Only for
 * errors of connections to the database: others have the same codes.
 */
export function asConnectionError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || error instanceof LostConnection || typeof error !== 'object' || !error)
    return error;
  const code = failureCode(error as { code?: string; message?: string });
  if (code === undefined || !SYSTEM_CODES.has(code)) return error;
  return new LostConnection((error as Error).message || code, { cause: error });
}
