import { expressionBuilder, sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { JobState, QueueDatabase } from './tables.js';

export interface RecurringRecord {
  name: string;
  key: string;
  every_seconds: number;
  feature_category: string;
  paused: boolean;
  /** When the newest job of its queue, however it was sent, started, or was sent if it has not started. */
  last_run_at: Date | null;
  /** Its state. */
  last_result: string | null;
  last_job_id: string | null;
  /** The next five. */
  next_runs: Date[];
}

const NEXT_RUNS = 5;

/** The begins of the next slots of time: in each, workers send one job soon after it begins. */
function nextRuns(now: Date, everySeconds: number): Date[] {
  const slot = everySeconds * 1000;
  const first = (Math.floor(now.getTime() / slot) + 1) * slot;
  return Array.from({ length: NEXT_RUNS }, (_none, index) => new Date(first + index * slot));
}

const on = expressionBuilder<Aliased<QueueDatabase, { r: 'queue_recurring_jobs' }>, 'r'>();

/** @param where conditions on `r` */
async function read(ctx: Context, where: readonly Expression<SqlBool>[]): Promise<RecurringRecord[]> {
  const states = sql<{ state: JobState }>`unnest(enum_range(null::pgboss.job_state))`.as<'s'>(sql`s(state)`);
  const db = ctx.em.getKysely<QueueDatabase>();
  const rows = await db
    .selectFrom('queue_recurring_jobs as r')
    .leftJoin('queue_controls as c', 'c.queue', 'r.name')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom(states)
          .crossJoinLateral((of) =>
            of
              .selectFrom('pgboss.job as j')
              .select(['j.id', 'j.state', 'j.started_on', 'j.created_on'])
              .whereRef('j.name', '=', 'r.name')
              .whereRef('j.state', '=', 's.state')
              .orderBy('j.created_on', 'desc')
              .orderBy('j.id', 'desc')
              .limit(constant(1))
              .as('j'),
          )
          .select(['j.id', 'j.state', 'j.started_on', 'j.created_on'])
          .orderBy('j.created_on', 'desc')
          .limit(constant(1))
          .as('j'),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      ...(['r.name', 'r.key', 'r.every_seconds', 'r.feature_category'] as const),
      eb.fn.coalesce('c.paused', eb.lit(false)).as('paused'),
      eb.fn.coalesce('j.started_on', 'j.created_on').as('last_run_at'),
      'j.state as last_result',
      'j.id as last_job_id',
    ])
    .where(on.and(where))
    .orderBy('r.name')
    .orderBy('r.key')
    .execute();
  const now = ctx.clock.now();
  return rows.map((row) => ({ ...row, next_runs: nextRuns(now, row.every_seconds) }));
}

/** Every recurring job, by name. */
export const listRecurring = (ctx: Context): Promise<RecurringRecord[]> => read(ctx, []);

/** @throws NotFound "404 Schedule Not Found" */
export async function findRecurring(ctx: Context, name: string, key: string): Promise<RecurringRecord> {
  const [job] = await read(ctx, [on('r.name', '=', name), on('r.key', '=', key)]);
  if (!job) throw new NotFound('Schedule');
  return job;
}
