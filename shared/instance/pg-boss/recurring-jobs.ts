import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { and, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

export interface RecurringRecord {
  name: string;
  key: string;
  every_seconds: number;
  feature_category: string;
  paused: boolean;
  /** Of the newest job of its queue, however it was sent: when it began, or was sent where it has not. */
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

/** @param where conditions on `r` */
async function read(ctx: Context, where: readonly Fragment[]): Promise<RecurringRecord[]> {
  const rows = await ctx.query<Omit<RecurringRecord, 'next_runs'>>(sql`
    select r.name as "name", r.key as "key", r.every_seconds as "every_seconds",
           r.feature_category as "feature_category", coalesce(c.paused, false) as "paused",
           coalesce(j.started_on, j.created_on) as "last_run_at", j.state::text as "last_result",
           j.id::text as "last_job_id"
      from queue_recurring_jobs r
      left join queue_controls c on c.queue = r.name
      left join lateral (
        select j.id, j.state, j.started_on, j.created_on
          from unnest(enum_range(null::pgboss.job_state)) s (state)
         cross join lateral (
           select j.* from pgboss.job j where j.name = r.name and j.state = s.state
            order by j.created_on desc, j.id desc limit 1) j
         order by j.created_on desc limit 1) j on true
     where ${and(where)} order by r.name, r.key`);
  const now = ctx.clock.now();
  return rows.map((row) => ({ ...row, next_runs: nextRuns(now, row.every_seconds) }));
}

/** Every recurring job, by name. */
export const listRecurring = (ctx: Context): Promise<RecurringRecord[]> => read(ctx, []);

/** @throws NotFound "404 Schedule Not Found" */
export async function findRecurring(ctx: Context, name: string, key: string): Promise<RecurringRecord> {
  const [job] = await read(ctx, [sql`r.name = ${name}`, sql`r.key = ${key}`]);
  if (!job) throw new NotFound('Schedule');
  return job;
}
