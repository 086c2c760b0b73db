import { Conflict, NoConnection, StatementTimedOut } from './errors.js';

/** What PostgreSQL says of a refused statement; the ORM keeps these keys on its own errors. */
interface StatementError {
  code?: string;
  constraint?: string;
}

const UNIQUE_VIOLATION = '23505';
/** What a row refers to is looked up before: where it is not there then, somebody removed it in between. */
const FOREIGN_KEY_VIOLATION = '23503';
/** Deadlock, lock not available, serialization failure. */
const CONTENTION = new Set(['40P01', '55P03', '40001', FOREIGN_KEY_VIOLATION]);

/**
 * A statement's time is up (or somebody cancelled it), that of a transaction that did nothing, and that of a read that
 * waited for a lock: nobody made that conflict.
 */
const TIMED_OUT = new Set(['57014', '25P03', '55P03']);
/**
 * The server shuts down, starts, or has no connection or memory left; the database was dropped, the session lay idle
 * for too long, or its connection was lost or refused.
 */
const AWAY = new Set('57P01 57P02 57P03 57P04 57P05 53200 53300 08000 08001 08003 08004 08006 08007'.split(' '));

/** What is told of a name or path that another row has. */
export const TAKEN = 'has already been taken';

const violations = new Map<string, () => Error>();

/**
 * Says what a caller is told when a unique index refuses a row: validation looked before, but somebody was quicker.
 * @param constraint name of the unique index
 */
export function onUniqueViolation(constraint: string, error: () => Error): void {
  violations.set(constraint, error);
}

/** What a statement that got no answer stands for, or the error itself. */
export function translateOutage(error: unknown): unknown {
  const { code } = (error ?? {}) as StatementError;
  if (typeof code !== 'string') return error;
  if (TIMED_OUT.has(code)) return new StatementTimedOut({ cause: error });
  return AWAY.has(code) ? new NoConnection({ cause: error }) : error;
}

/**
 * Whether an error means that the database is away (`database`), or that all of the process's connections to it are
 * taken (`connections`); null for any other. Whatever it was wrapped in.
 */
export function outageOf(error: unknown): 'database' | 'connections' | null {
  let away = false;
  for (let at = error as { code?: unknown; cause?: unknown } | undefined; at; at = at.cause as typeof at) {
    if (typeof at !== 'object') break;
    if (typeof at.code === 'string' && AWAY.has(at.code)) return 'database';
    away ||= at instanceof NoConnection;
    if (at instanceof NoConnection && at.cause !== undefined) return 'database';
  }
  return away ? 'connections' : null;
}

/** The error of our own family that a refused statement stands for, or the error itself. */
export function translateDatabaseError(error: unknown): unknown {
  const { code, constraint } = (error ?? {}) as StatementError;
  if (code === UNIQUE_VIOLATION && constraint) return violations.get(constraint)?.() ?? error;
  if (code !== undefined && CONTENTION.has(code)) return new Conflict('409 Conflict: Resource lock');
  return translateOutage(error);
}
