/** The limits for statements of one kind of work, and how its connections are shared (decision 26). In milliseconds. */
export interface DatabaseWork {
  /** One statement, waiting for locks included. */
  readonly statement: number;
  /** Waiting for one lock. */
  readonly lock: number;
  /** Between two statements of a transaction, in which it holds its locks and does something else. */
  readonly idleInTransaction: number;
  /** Waiting for a connection while all are in use. */
  readonly acquireTimeout: number;
  /** How much of the pool one caller may hold at a time, from 0 to 1. */
  readonly callerShare: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const whole = { callerShare: 1 };

/** Every kind of work that connects to the database. Code that opens a connection specifies one of these. */
export const databaseWork = {
  /** Requests: a client waits for the response, and other requests need the connection. */
  api: {
    statement: 15 * SECOND,
    lock: 10 * SECOND,
    idleInTransaction: MINUTE,
    acquireTimeout: 3 * SECOND,
    callerShare: 0.5,
  },
  /** Jobs. Those that need more say so where they are handled. */
  worker: {
    statement: MINUTE,
    lock: 30 * SECOND,
    idleInTransaction: 10 * MINUTE,
    acquireTimeout: 30 * SECOND,
    ...whole,
  },
  /** The queue's own statements, of which some tidy up. */
  queue: { statement: MINUTE, lock: 30 * SECOND, idleInTransaction: MINUTE, acquireTimeout: 30 * SECOND, ...whole },
  /** Connections that hear notifications. */
  listener: {
    statement: 15 * SECOND,
    lock: 10 * SECOND,
    idleInTransaction: MINUTE,
    acquireTimeout: 5 * SECOND,
    ...whole,
  },
  /** Requests must never wait for the rate limit counters. */
  limits: { statement: SECOND, lock: SECOND, idleInTransaction: MINUTE, acquireTimeout: SECOND, ...whole },
  /** Giving out numbers: one short statement, for which a write waits. */
  numbers: {
    statement: 5 * SECOND,
    lock: 5 * SECOND,
    idleInTransaction: MINUTE,
    acquireTimeout: 2 * SECOND,
    ...whole,
  },
  /** An index of a large table takes its time, and one process waits while another migrates. */
  migration: {
    statement: 6 * 60 * MINUTE,
    lock: 6 * 60 * MINUTE,
    idleInTransaction: 6 * 60 * MINUTE,
    acquireTimeout: MINUTE,
    ...whole,
  },
} as const satisfies Record<string, DatabaseWork>;

/**
 * The limits as settings of a connection. They go with its first message, so that they cost nothing later, and hold
 * for whatever runs on it.
 */
export function sessionLimits(work: DatabaseWork) {
  return {
    statement_timeout: work.statement,
    lock_timeout: work.lock,
    idle_in_transaction_session_timeout: work.idleInTransaction,
  };
}
