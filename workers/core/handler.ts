import type { PgBoss } from 'pg-boss';
import type { Context } from '../../shared/core/context.js';
import type { JobKind } from '../../shared/core/jobs.js';
import type { OpenServices } from '../../shared/core/open-services.js';

/** What does one kind of job. Handlers take a batch: one job is a batch of one. Each may run twice without harm. */
export interface Handler<P extends object = object> {
  kind: JobKind<P>;
  /** Jobs fetched at a time. Batches of one are slow: the queue then waits between two. */
  batchSize: number;
  /** Batches at a time in each process; one unless told. For jobs that take long and must not wait for each other. */
  concurrency?: number;
  /** Whether one statement may take as long as a whole job, as removing what much hangs on does. */
  longStatements?: boolean;
  handle(ctx: Context, payloads: readonly P[]): Promise<void>;
}

/** Declares a handler. */
export function handler<P extends object>(declared: Handler<P>): Handler {
  return declared as unknown as Handler;
}

/** Something that a worker process keeps running beside its handlers, such as an alarm. */
export interface BackgroundService {
  start(services: OpenServices, boss: PgBoss): Promise<void>;
  stop(): Promise<void>;
}
