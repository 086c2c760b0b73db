import { sql } from 'kysely';
import type { QueryCreator } from 'kysely';
import type { Queryable } from '../../core/database/database.js';
import { constant } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import { runQuery } from '../../core/database/prepared.js';
import { addedCounts } from './record-attempts.js';
import { batchJobs, queueNow, workerName } from './tables.js';
import type { QueueDatabase } from './tables.js';
import { wakeQueues } from './queue-channel.js';
import { takeOfLost } from './worker-session.js';

/** Error of an attempt that ended with its worker. */
const LOST = { error_class: 'WorkerLost', message: 'The worker process ended while the job ran.' };

/** The part of the queue that fails jobs by the attempts that were begun, on a connection of the caller's. */
interface JobFailer {
  fail(
    queue: string,
    jobs: { id: string; retryCount: number }[],
    output: object,
    options: { db: { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> } },
  ): Promise<unknown>;
}

interface LostJob {
  queue: string;
  id: string;
  attempt: number;
  /** Whether it may be tried again. */
  again: boolean;
}

/** Jobs that a worker had in hand and that are still active by the attempt that it began. */
const inItsHands = (db: Pick<QueryCreator<QueueDatabase>, 'selectFrom'>, workerId: number) =>
  db
    .selectFrom('queue_batches as b')
    .crossJoinLateral((eb) => batchJobs(eb.ref('b.job_ids'), eb.ref('b.attempts')).as('u'))
    .innerJoin('pgboss.job as j', (join) =>
      join
        .onRef('j.name', '=', 'b.queue')
        .onRef('j.id', '=', 'u.id')
        .on('j.state', '=', constant('active'))
        .on((on) => on('j.retry_count', '=', on('u.attempt', '-', on.lit(1)))),
    )
    .select((eb) => [
      ...(['b.queue', 'j.id', 'u.attempt', 'b.started_at', 'j.created_on'] as const),
      eb('j.retry_count', '<', eb.ref('j.retry_limit')).$castTo<boolean>().as('again'),
    ])
    .where('b.worker_id', '=', workerId);

/**
 * Returns the jobs of a dead worker to the queue, unless another worker has already done so: their attempts end as
 * lost, and the jobs are immediately available to any worker, or fail if this was their last attempt. Runs in the
 * session's open transaction.
 * @param own the worker that runs the check: it counts the attempts
 * @returns the jobs; null if the worker is alive, or another worker is handling it
 */
export async function rescueJobs(
  session: Queryable,
  boss: JobFailer,
  lost: number,
  own: number,
): Promise<readonly LostJob[] | null> {
  if (!(await takeOfLost(session, lost))) return null;
  const db = queries<QueueDatabase>();
  const giveUp = db
    .updateTable('queue_workers')
    .set({ lost_at: sql<Date>`now()`, busy: constant(0) })
    .where('id', '=', lost)
    .where('lost_at', 'is', null)
    .returning(workerName('queue_workers').as('name'));
  const [worker] = await runQuery(session, giveUp);
  if (!worker) return null;
  const jobs: LostJob[] = await runQuery(session, handingBack(db, lost, own, worker.name));
  await failLast(session, boss, jobs);
  await wakeQueues(session, [...new Set(jobs.filter(({ again }) => again).map(({ queue }) => queue))]);
  return jobs;
}

/** Ends the attempts of a worker that is lost as that, counts them, and has the jobs wait that may be tried again. */
const handingBack = (db: QueryCreator<QueueDatabase>, lost: number, own: number, worker: string) =>
  db
    .with(
      (cte) => cte('held').materialized(),
      (of) => inItsHands(of, lost),
    )
    .with('ended', (of) =>
      of
        .insertInto('job_attempts')
        .columns([
          ...(['job_id', 'attempt', 'queue', 'worker', 'started_at', 'ended_at', 'outcome'] as const),
          ...(['error_class', 'message', 'job_created_at'] as const),
        ])
        .expression((eb) =>
          eb
            .selectFrom('held as h')
            .select([
              'h.id as job_id',
              'h.attempt',
              'h.queue',
              eb.val(worker).as('worker'),
              'h.started_at',
              sql<Date>`now()`.as('ended_at'),
              constant('lost').as('outcome'),
              eb.val(LOST.error_class).as('error_class'),
              eb.val(LOST.message).as('message'),
              'h.created_on as job_created_at',
            ]),
        )
        .onConflict((conflict) => conflict.columns(['job_id', 'attempt']).doNothing()),
    )
    .with('counted', (of) =>
      of
        .insertInto('queue_counters')
        .columns(['queue', 'worker_id', 'processed', 'failed'])
        .expression((eb) =>
          eb
            .selectFrom('held as h')
            .select([
              'h.queue',
              eb.cast<number>(eb.val(own), 'bigint').as('worker_id'),
              eb.fn.countAll().as('processed'),
              eb.fn.countAll().as('failed'),
            ])
            .groupBy('h.queue'),
        )
        .onConflict((conflict) => conflict.columns(['queue', 'worker_id']).doUpdateSet(addedCounts)),
    )
    .with('back', (of) =>
      of
        .updateTable('pgboss.job as j')
        .from('held as h')
        .set({ state: constant('retry'), start_after: queueNow, heartbeat_on: null })
        .whereRef('j.name', '=', 'h.queue')
        .whereRef('j.id', '=', 'h.id')
        .where('h.again', '=', constant<boolean>(true)),
    )
    .with('forgotten', (of) => of.deleteFrom('queue_batches as b').where('b.worker_id', '=', lost))
    .selectFrom('held as h')
    .select(['h.queue', 'h.id', 'h.attempt', 'h.again']);

/** Fails those that have no try left, as the queue does. */
async function failLast(session: Queryable, boss: JobFailer, jobs: readonly LostJob[]): Promise<void> {
  const db = {
    executeSql: async (text: string, values: unknown[] = []) => ({
      rows: await session.query<unknown>({ text, values }),
    }),
  };
  const last = Map.groupBy(
    jobs.filter(({ again }) => !again),
    ({ queue }) => queue,
  );
  for (const [queue, some] of last)
    await boss.fail(
      queue,
      some.map(({ id, attempt }) => ({ id, retryCount: attempt - 1 })),
      LOST,
      { db },
    );
}
