import { Conflict, NoConnection, StatementTimedOut } from '../errors.js';

/** What PostgreSQL says of a refused statement; the ORM keeps these keys on its own errors. */
interface Refusal {
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
/** The server shuts down, starts, or has no connection left. */
const AWAY = new Set(['57P01', '57P02', '57P03', '53300']);

/** What is told of a name or path that another row has. */
export const TAKEN = 'has already been taken';

const taken = new Map<string, () => Error>();

/**
 * Says what a caller is told when a unique index refuses a row: validation looked before, but somebody was quicker.
 * @param constraint name of the unique index
 */
export function whenTaken(constraint: string, error: () => Error): void {
  taken.set(constraint, error);
}

/** What a statement that got no answer stands for, or the error itself. */
export function translateOutage(error: unknown): unknown {
  const { code } = (error ?? {}) as Refusal;
  if (code === undefined) return error;
  if (TIMED_OUT.has(code)) return new StatementTimedOut({ cause: error });
  return AWAY.has(code) ? new NoConnection({ cause: error }) : error;
}

/** The error of our own family that a refused statement stands for, or the error itself. */
export function translateDatabaseError(error: unknown): unknown {
  const { code, constraint } = (error ?? {}) as Refusal;
  if (code === UNIQUE_VIOLATION && constraint) return taken.get(constraint)?.() ?? error;
  if (code !== undefined && CONTENTION.has(code)) return new Conflict('409 Conflict: Resource lock');
  return translateOutage(error);
}
