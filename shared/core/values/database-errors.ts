import { Conflict, NoConnection, StatementTimedOut } from './errors.js';

/** PostgreSQL's error for a rejected statement; the ORM copies these keys to its own errors. */
interface StatementError {
  code?: string;
  constraint?: string;
}

const UNIQUE_VIOLATION = '23505';
/** Referenced rows are checked before a write: if one is missing afterward, it was deleted in between. */
const FOREIGN_KEY_VIOLATION = '23503';
/** Deadlock, lock not available, serialization failure. */
const CONTENTION = new Set(['40P01', '55P03', '40001', FOREIGN_KEY_VIOLATION]);

/**
 * A statement timed out (or was canceled), an idle transaction timed out, or a read timed out waiting for a lock: none
 * of these is a conflict between callers.
 */
const TIMED_OUT = new Set(['57014', '25P03', '55P03']);
/**
 * The server shuts down, starts, or has no connection or memory left; the database was dropped, the session lay idle
 * for too long, or its connection was lost or refused.
 */
const AWAY = new Set('57P01 57P02 57P03 57P04 57P05 53200 53300 08000 08001 08003 08004 08006 08007'.split(' '));

/** The message for a name or path that another row already uses. */
export const TAKEN = 'has already been taken';

const violations = new Map<string, () => Error>();

/**
 * Declares the error for a violated unique index: validation has checked the value, but a concurrent request was
 * faster.
 * @param constraint name of the unique index
 */
export function onUniqueViolation(constraint: string, error: () => Error): void {
  violations.set(constraint, error);
}

/** Translates the error of a statement without an answer; other errors are returned unchanged. */
export function translateOutage(error: unknown): unknown {
  const { code } = (error ?? {}) as StatementError;
  if (typeof code !== 'string') return error;
  if (TIMED_OUT.has(code)) return new StatementTimedOut({ cause: error });
  return AWAY.has(code) ? new NoConnection({ cause: error }) : error;
}

/**
 * Whether an error means that the database is unavailable (`database`), or that all of the process's connections to it
 * are in use (`connections`); null for any other. Wrapped errors are unwrapped.
 */
export function getOutage(error: unknown): 'database' | 'connections' | null {
  let away = false;
  for (let at = error as { code?: unknown; cause?: unknown } | undefined; at; at = at.cause as typeof at) {
    if (typeof at !== 'object') break;
    if (typeof at.code === 'string' && AWAY.has(at.code)) return 'database';
    away ||= at instanceof NoConnection;
    if (at instanceof NoConnection && at.cause !== undefined) return 'database';
  }
  return away ? 'connections' : null;
}

/** The `CapstanError` for a rejected statement, or the error itself. */
export function translateDatabaseError(error: unknown): unknown {
  const { code, constraint } = (error ?? {}) as StatementError;
  if (code === UNIQUE_VIOLATION && constraint) return violations.get(constraint)?.() ?? error;
  if (code !== undefined && CONTENTION.has(code)) return new Conflict('409 Conflict: Resource lock');
  return translateOutage(error);
}
