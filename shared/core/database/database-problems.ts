import { failureCode } from './connection-errors.js';

/** The relevant fields of a driver error or of its cause. */
interface Failure {
  code?: string;
  message?: string;
  cause?: unknown;
  hostname?: string;
}

const UNREACHABLE = 'DATABASE_URL must point at a PostgreSQL that runs and can be reached';

/** By error code of the system or of PostgreSQL: the advice for the operator who started the process. */
const PROBLEMS: Record<string, (failure: Failure, where: string) => string> = {
  ECONNREFUSED: (_failure, where) => `${UNREACHABLE}; nothing listens at ${where}.`,
  ECONNRESET: (_failure, where) => `${UNREACHABLE}; ${where} closed the connection.`,
  ETIMEDOUT: (_failure, where) => `${UNREACHABLE}; ${where} does not answer.`,
  EHOSTUNREACH: (_failure, where) => `${UNREACHABLE}; there is no way to ${where}.`,
  ENETUNREACH: (_failure, where) => `${UNREACHABLE}; there is no way to ${where}.`,
  ENOTFOUND: ({ hostname }) => `${UNREACHABLE}; no address is known for the host "${hostname}".`,
  EAI_AGAIN: ({ hostname }) => `${UNREACHABLE}; the address of the host "${hostname}" cannot be looked up at present.`,
  '28P01': () => 'DATABASE_URL must hold the right user and password; PostgreSQL refuses these.',
  '28000': ({ message }) => `DATABASE_URL must name a user whom PostgreSQL lets in; it says: ${message}.`,
  '3D000': ({ message }) => `DATABASE_URL must name a database that exists; PostgreSQL says: ${message}.`,
  '42501': ({ message }) =>
    `The user in DATABASE_URL must own the database, or may at least create in it; PostgreSQL says: ${message}.`,
  '53300': ({ message }) => `PostgreSQL must allow more connections (max_connections); it says: ${message}.`,
  '53100': () => "PostgreSQL's disk is full; it needs room before anything can be stored.",
  '57P03': ({ message }) => `PostgreSQL is not ready yet; it says: ${message}. Try again in a moment.`,
};

function getHost(url: string): string {
  try {
    const { hostname, port } = new URL(url);
    return `${hostname}:${port || 5432}`;
  } catch {
    return 'that place';
  }
}

/**
 * Describes a problem with the database itself, including the setting to change; null for other kinds of errors.
 * @param url of the database; its password is never shown
 */
export function databaseProblem(error: unknown, url: string): string | null {
  for (let at = error as Failure | undefined; at; at = at.cause as Failure | undefined) {
    const code = failureCode(at);
    const describe = PROBLEMS[code ?? ''];
    if (describe) return describe(at, getHost(url));
    if (/does not support SSL/.test(at.message ?? ''))
      return 'DATABASE_URL must ask for no TLS (sslmode=disable); this PostgreSQL has none.';
    if (/^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code ?? ''))
      return `DATABASE_URL must lead to a PostgreSQL whose certificate is trusted here (sslrootcert); ${at.message}.`;
  }
  return null;
}
