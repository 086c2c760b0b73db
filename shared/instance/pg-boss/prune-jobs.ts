import { expressionBuilder, sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { constant } from '../../core/database/expressions.js';
import { addedCounts } from './record-attempts.js';
import type { QueueDatabase } from './tables.js';

const BATCH = 10_000;
/** Workers that died less than this long ago are still listed. */
const LOST_BEFORE = sql<Date>`now() - interval '1 hour'`;

/** Removes the attempts of jobs that the queue has removed, walking the table once by its key. Answers how many. */
async function pruneAttempts(ctx: Context): Promise<number> {
  let removed = 0;
  let last = { job_id: '00000000-0000-0000-0000-000000000000', attempt: 0 };
  await inSteps(ctx, async () => {
    const step = await ctx.em
      .getKysely<QueueDatabase>()
      .with(
        (cte) => cte('step').materialized(),
        (db) =>
          db
            .selectFrom('job_attempts as a')
            .select(['a.job_id', 'a.attempt', 'a.queue'])
            .where((eb) => {
              const id = eb.cast<string>(eb.val(last.job_id), 'uuid');
              const attempt = eb.cast<number>(eb.val(last.attempt), 'integer');
              return eb(eb.refTuple('a.job_id', 'a.attempt'), '>', eb.tuple(id, attempt));
            })
            .orderBy('a.job_id')
            .orderBy('a.attempt')
            .limit(constant(BATCH)),
      )
      .with('gone', (db) =>
        db
          .deleteFrom('job_attempts as a')
          .using('step as s')
          .whereRef('a.job_id', '=', 's.job_id')
          .whereRef('a.attempt', '=', 's.attempt')
          .where((eb) => {
            const jobs = eb
              .selectFrom('pgboss.job as j')
              .select(eb.lit(1).as('one'))
              .whereRef('j.name', '=', 's.queue')
              .whereRef('j.id', '=', 's.job_id');
            return eb.not(eb.exists(jobs));
          })
          .returning('a.attempt'),
      )
      .with('newest', (db) =>
        db
          .selectFrom('step as s')
          .select(['s.job_id', 's.attempt'])
          .orderBy('s.job_id', 'desc')
          .orderBy('s.attempt', 'desc')
          .limit(constant(1)),
      )
      .selectNoFrom((eb) => [
        eb
          .selectFrom('step')
          .select((of) => of.fn.countAll<number>().as('count'))
          .as('walked'),
        eb
          .selectFrom('gone')
          .select((of) => of.fn.countAll<number>().as('count'))
          .as('removed'),
        eb.selectFrom('newest as n').select('n.job_id').as('job_id'),
        eb.selectFrom('newest as n').select('n.attempt').as('attempt'),
      ])
      .executeTakeFirst();
    removed += step?.removed ?? 0;
    if (step?.job_id) last = { job_id: step.job_id, attempt: step.attempt ?? 0 };
    return step?.walked === BATCH;
  });
  return removed;
}

/** That there is no such worker. */
function isOfNobody(workerId: Expression<number>): Expression<SqlBool> {
  const eb = expressionBuilder<QueueDatabase>();
  const workers = eb
    .selectFrom('queue_workers as w')
    .select(eb.lit(1).as('one'))
    .where((of) => of('w.id', '=', workerId));
  return eb.not(eb.exists(workers));
}

/** Deletes workers that died or stopped silently, with their remaining data; their counts are preserved. */
async function pruneWorkers(ctx: Context): Promise<number> {
  const db = ctx.em.getKysely<QueueDatabase>();
  const removed = await db
    .deleteFrom('queue_workers as w')
    .where((eb) => eb(eb.fn.coalesce('w.lost_at', 'w.last_seen_at'), '<', LOST_BEFORE))
    .returning('w.id')
    .execute();
  await db
    .deleteFrom('queue_batches as b')
    .where((eb) => isOfNobody(eb.ref('b.worker_id')))
    .execute();
  await db
    .with('gone', (of) =>
      of
        .deleteFrom('queue_counters as c')
        .where('c.worker_id', '<>', constant(0))
        .where((eb) => isOfNobody(eb.ref('c.worker_id')))
        .returning(['c.queue', 'c.processed', 'c.failed']),
    )
    .insertInto('queue_counters')
    .columns(['queue', 'worker_id', 'processed', 'failed'])
    .expression((eb) =>
      eb
        .selectFrom('gone as g')
        .select((of) => [
          'g.queue',
          of.lit(0).as('worker_id'),
          of.fn.sum('g.processed').as('processed'),
          of.fn.sum('g.failed').as('failed'),
        ])
        .groupBy('g.queue'),
    )
    .onConflict((conflict) => conflict.columns(['queue', 'worker_id']).doUpdateSet(addedCounts))
    .execute();
  return removed.length;
}

/** Deletes data about jobs and workers that no longer exist. Idempotent. */
export async function pruneJobs(ctx: Context): Promise<{ attempts: number; workers: number }> {
  const workers = await ctx.transaction(() => pruneWorkers(ctx));
  return { attempts: await pruneAttempts(ctx), workers };
}
