import type { Context } from '../core/context.js';
import { sql } from '../core/sql.js';
import { runPipelineSchedules } from './pipeline-schedule.jobs.js';
import { dueRuns } from './missed-runs.js';
import { notifyAlarms } from './notify-alarms.js';
import type { PlannedRun } from './missed-runs.js';

/** Schedules claimed by one transaction at most: small enough to be quick, large enough for a full minute. */
const BATCH = 1000;

interface DueSchedule {
  id: number;
  project_id: number;
  owner_id: number | null;
  cron: string;
  cron_timezone: string;
  missed_policy: string;
  next_run_at: Date;
}

/**
 * Claims every schedule that is due: moves its `next_run_at` forward, writes its runs and enqueues those that
 * fire, a batch a transaction, until nothing is due. The clock moves before the work, so a crash loses nothing
 * that was enqueued and starts nothing twice. Answers how many schedules were claimed.
 */
export async function tickSchedules(ctx: Context): Promise<number> {
  let claimed = 0;
  for (;;) {
    const batch = await ctx.transaction(() => claimBatch(ctx));
    claimed += batch;
    if (batch < BATCH) break;
  }
  // Alarms in every process now look for the moment after this one.
  await notifyAlarms(ctx, null);
  return claimed;
}

async function claimBatch(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  const due = await ctx.query<DueSchedule>(sql`
    select s.id, s.project_id, s.owner_id, s.cron, s.cron_timezone, s.missed_policy, s.next_run_at
      from pipeline_schedules s where s.active and s.next_run_at <= ${now}
     order by s.next_run_at limit ${BATCH} for update skip locked`);
  if (due.length === 0) return 0;
  const perDay = ctx.settings.ci_daily_pipeline_schedule_triggers;
  const plans = due.map((schedule) => ({ schedule, ...dueRuns(schedule, now, perDay) }));
  await ctx.query(sql`
    update pipeline_schedules s set next_run_at = u.next_run_at
      from unnest(${plans.map((plan) => plan.schedule.id)}::bigint[],
                  ${plans.map((plan) => plan.nextRunAt)}::timestamptz[]) as u (id, next_run_at)
     where s.id = u.id`);
  const fired = await insertRuns(
    ctx,
    plans.flatMap(({ schedule, runs }) => runs.map((run) => ({ ...run, schedule }))),
  );
  await ctx.jobs.sendAll(runPipelineSchedules, fired.map((id) => ({ run_id: id })));
  return due.length;
}

/** Writes runs, each due moment once; answers the ids of those that are to fire. */
async function insertRuns(ctx: Context, runs: (PlannedRun & { schedule: DueSchedule })[]): Promise<number[]> {
  const rows = await ctx.query<{ id: number; state: string }>(sql`
    insert into pipeline_schedule_runs
      (project_id, pipeline_schedule_id, due_at, trigger, user_id, state, reason, created_at)
    select u.project_id, u.schedule_id, u.due_at, 'cron', u.user_id, u.state, u.reason, ${ctx.clock.now()}
      from unnest(${runs.map((run) => run.schedule.project_id)}::bigint[],
                  ${runs.map((run) => run.schedule.id)}::bigint[],
                  ${runs.map((run) => run.dueAt)}::timestamptz[],
                  ${runs.map((run) => run.schedule.owner_id)}::bigint[],
                  ${runs.map((run) => run.state)}::text[], ${runs.map((run) => run.reason)}::text[])
        as u (project_id, schedule_id, due_at, user_id, state, reason)
    on conflict do nothing returning id, state`);
  return rows.filter((row) => row.state === 'pending').map((row) => row.id);
}

