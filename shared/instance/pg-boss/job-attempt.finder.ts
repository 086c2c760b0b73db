import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { batchJobs, workerName } from './tables.js';
import type { QueueDatabase } from './tables.js';

export interface JobAttemptRecord {
  attempt: number;
  /** Host and process id of the worker. */
  worker: string;
  started_at: Date;
  /** Null while it runs. */
  ended_at: Date | null;
  /** `running`, `completed`, `failed`, `cancelled`, or `lost` with its worker. */
  outcome: string;
  error_class: string | null;
  message: string | null;
  stack: string | null;
}

/** Every attempt of a job, the one that runs included, the first one first. */
export function attemptsOfJob(ctx: Context, queue: string, jobId: string): Promise<JobAttemptRecord[]> {
  const db = ctx.em.getKysely<QueueDatabase>();
  const pastAttempts = db
    .selectFrom('job_attempts as a')
    .select([
      ...(['a.attempt', 'a.worker', 'a.started_at', 'a.ended_at', 'a.outcome'] as const),
      ...(['a.error_class', 'a.message', 'a.stack'] as const),
    ])
    .where('a.job_id', '=', jobId)
    .where('a.queue', '=', queue);
  const running = db
    .selectFrom('queue_batches as b')
    .crossJoinLateral((eb) => batchJobs(eb.ref('b.job_ids'), eb.ref('b.attempts')).as('u'))
    .innerJoin('queue_workers as w', 'w.id', 'b.worker_id')
    .select((eb) => {
      const none = eb.cast<string | null>(eb.lit(null), 'text');
      return [
        'u.attempt',
        workerName('w').as('worker'),
        'b.started_at',
        eb.cast<Date | null>(eb.lit(null), 'timestamptz').as('ended_at'),
        constant<string>('running').as('outcome'),
        none.as('error_class'),
        none.as('message'),
        none.as('stack'),
      ];
    })
    .where('b.queue', '=', queue)
    .where('b.ended_at', 'is', null)
    .where('u.id', '=', jobId)
    .where((eb) => {
      const same = eb
        .selectFrom('job_attempts as a')
        .select(eb.lit(1).as('one'))
        .whereRef('a.job_id', '=', 'u.id')
        .whereRef('a.attempt', '=', 'u.attempt');
      return eb.not(eb.exists(same));
    });
  return db
    .selectFrom(pastAttempts.$castTo<JobAttemptRecord>().unionAll(running).as('x'))
    .select([
      ...(['x.attempt', 'x.worker', 'x.started_at', 'x.ended_at', 'x.outcome'] as const),
      ...(['x.error_class', 'x.message', 'x.stack'] as const),
    ])
    .orderBy('x.attempt')
    .execute();
}
