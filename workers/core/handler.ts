import type { PgBoss } from 'pg-boss';
import type { Context } from '../../shared/core/context/context.js';
import type { JobKind } from '../../shared/core/context/jobs.js';
import type { OpenServices } from '../../shared/core/context/open-services.js';
import type { Logger } from '../../shared/core/log/log.js';

interface Declared<P extends object> {
  kind: JobKind<P>;
  /** Jobs fetched at a time. Batches of one are slow: the queue then waits between two. */
  batchSize: number;
  /** Concurrent batches in each process; one by default. For long jobs that must not wait for each other. */
  concurrency?: number;
  /** Whether one statement may take as long as a whole job, as removing what much hangs on does. */
  longStatements?: boolean;
}

/** Does the jobs of a batch one after the other: each succeeds or fails by itself, under a context of its own. */
export interface HandlerOfOne<P extends object> extends Declared<P> {
  handle(ctx: Context, payload: P): Promise<void>;
  /**
   * Notes why the process of an isolated job ended under it. The job counts as failed, and is tried again as far as its
   * kind is.
   */
  onProcessExit?(ctx: Context, payload: P, reason: string): Promise<void>;
}

/** A job of a batch that failed, by its index in the batch, and why. */
export interface FailedJob {
  readonly index: number;
  readonly error: unknown;
}

/**
 * Does the jobs of a batch together, where that is worth it, and answers which of them failed. When it throws, all
 * have. Its signal is aborted once every job's is.
 */
export interface HandlerOfBatch<P extends object> extends Declared<P> {
  handleBatch(ctx: Context, payloads: readonly P[]): Promise<readonly FailedJob[] | void>;
}

/** What does one kind of job. Each job may run twice without harm. */
export type Handler<P extends object = object> = HandlerOfOne<P> | HandlerOfBatch<P>;

/** Declares a handler. */
export function handler<P extends object>(declared: Handler<P>): Handler {
  return declared as Handler;
}

/** A service that a worker process runs in addition to its handlers, such as an alarm. */
export interface BackgroundService {
  start(services: OpenServices, boss: PgBoss): Promise<void>;
  stop(): Promise<void>;
}

/** What workers do of a domain. Its registry names it, and `workers/domains.ts` the domains. */
export interface WorkerDomain {
  readonly handlers: readonly Handler[];
  /** The background services that each worker process runs in addition to the handlers. */
  readonly backgroundServices?: () => readonly BackgroundService[];
}

/** Logs the result of a recurring job; at level debug if there was nothing to do. */
export function logWork(log: Logger, done: object, message: string): void {
  const didNothing = Object.values(done).every((count) => typeof count !== 'number' || count === 0);
  log[didNothing ? 'debug' : 'info'](done, message);
}
