import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { toldToPages } from '../../core/page-changes/page-changes.js';
import { sql } from '../../core/sql.js';
import { dueColumns, whyNoNextRun } from './claim-due.js';
import type { DueSchedule } from './claim-due.js';
import { notifyAlarms } from './notify-alarms.js';
import { scheduleLimits } from './schedule-limits.js';
import { nextRunAt } from './schedule-rules.js';
import { timeZoneDataVersion } from '../cron/time-zones.js';

/** Schedules looked at by one transaction: computing their times keeps the alarm of the process waiting. */
const BATCH = 100;

type Schedule = Omit<DueSchedule, 'next_run_at'> & { next_run_at: Date | null; last_due_at: Date | null };

/** The release of the zone data by which the stored next runs were computed; null before the first time. */
export async function storedZoneDataVersion(ctx: Context): Promise<string | null> {
  const row = await ctx.queryOne<{ version: string }>(sql`select z.version from instance_zone_data z`);
  return row?.version ?? null;
}

/**
 * Computes the next run of every schedule anew, because governments change their clocks: a worker that starts with
 * other zone data than the last one asks for it. What is due already stays due. Answers how many moved.
 */
export async function followZoneData(ctx: Context): Promise<number> {
  let moved = 0;
  let after = 0;
  await inSteps(ctx, async () => {
    const batch = await ctx.transaction(() => followBatch(ctx, after));
    moved += batch.moved;
    after = batch.last ?? after;
    return batch.last !== null;
  });
  // Plain SQL: the table has no entity.
  await ctx.query(sql`
    insert into instance_zone_data (only_one, version, updated_at)
    values (true, ${timeZoneDataVersion()}, ${ctx.clock.now()})
    on conflict (only_one) do update set version = excluded.version, updated_at = excluded.updated_at`);
  await notifyAlarms(ctx, null);
  return moved;
}

async function followBatch(ctx: Context, after: number): Promise<{ moved: number; last: number | null }> {
  const now = ctx.clock.now();
  const { runsPerDay } = scheduleLimits(ctx);
  // Only the limit of runs a day asks when a schedule ran last.
  const last = sql`(select x.due_at from pipeline_schedule_runs x where x.pipeline_schedule_id = s.id
    and x.trigger = 'cron' and x.state <> 'missed' order by x.id desc limit 1)`;
  const schedules = await ctx.query<Schedule>(sql`
    select ${dueColumns}, ${runsPerDay > 0 ? last : sql`null::timestamptz`} as last_due_at
      from pipeline_schedules s join projects p on p.id = s.project_id
     where s.id > ${after} order by s.id limit ${BATCH} for key share of p for no key update of s`);
  const changed = schedules.flatMap((schedule) => {
    if (schedule.next_run_at && schedule.next_run_at <= now) return [];
    const next = nextRunAt(schedule, now, schedule.last_due_at, runsPerDay);
    return next?.getTime() === schedule.next_run_at?.getTime() ? [] : [{ schedule, next }];
  });
  if (changed.length > 0) {
    await ctx.query(sql`
      with moved as (
        update pipeline_schedules s set next_run_at = u.next_run_at
          from unnest(${changed.map(({ schedule }) => schedule.id)}::bigint[],
                      ${changed.map(({ next }) => next)}::timestamptz[]) as u (id, next_run_at)
         where s.id = u.id)
      select ${toldToPages(
        'pipeline_schedules',
        changed.map(({ schedule }) => schedule.project_id),
      )}`);
    await recordStopped(
      ctx,
      changed.filter(({ next }) => next === null).map(({ schedule }) => schedule),
    );
  }
  return { moved: changed.length, last: schedules.length < BATCH ? null : (schedules.at(-1) as Schedule).id };
}

/** A schedule that stops running says why in its last run (pipeline-schedules.md section 6 rule 5). */
async function recordStopped(ctx: Context, stopped: readonly Schedule[]) {
  if (stopped.length === 0) return;
  const now = ctx.clock.now();
  await ctx.query(sql`
    insert into pipeline_schedule_runs
      (project_id, pipeline_schedule_id, due_at, trigger, user_id, state, cause, reason, created_at)
    select u.project_id, u.schedule_id, ${now}, 'cron', u.user_id, 'failed', 'never_runs', u.reason, ${now}
      from unnest(${stopped.map((schedule) => schedule.project_id)}::bigint[],
                  ${stopped.map((schedule) => schedule.id)}::bigint[],
                  ${stopped.map((schedule) => schedule.owner_id)}::bigint[],
                  ${stopped.map(whyNoNextRun)}::text[]) as u (project_id, schedule_id, user_id, reason)
    on conflict do nothing`);
}
