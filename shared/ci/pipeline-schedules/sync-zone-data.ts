import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { constant, scalar, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { DUE_COLUMNS, moveNextRuns, whyNoNextRun } from './claim-due.js';
import type { DueSchedule } from './claim-due.js';
import { notifyAlarms } from './notify-alarms.js';
import { scheduleLimits, nextRunAt } from './schedule-rules.js';
import { timeZoneDataVersion } from '../cron/time-zones.js';

/** Schedules processed per transaction: computing their times delays the process's alarm. */
const BATCH = 100;

type Schedule = Omit<DueSchedule, 'next_run_at'> & { next_run_at: Date | null; last_due_at: Date | null };

/** The release of the zone data by which the stored next runs were computed; null before the first time. */
export async function storedZoneDataVersion(ctx: Context): Promise<string | null> {
  const row = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('instance_zone_data as z')
    .select('z.version')
    .executeTakeFirst();
  return row?.version ?? null;
}

/**
 * Recomputes the next run of every schedule, because governments change time zone rules: requested by a worker that
 * starts with different zone data than the last one. Runs that are already due stay due. Returns the number of moved
 * schedules.
 */
export async function syncZoneData(ctx: Context): Promise<number> {
  let moved = 0;
  let after = 0;
  await inSteps(ctx, async () => {
    const batch = await ctx.transaction(() => syncBatch(ctx, after));
    moved += batch.moved;
    after = batch.last ?? after;
    return batch.last !== null;
  });
  const data = { version: timeZoneDataVersion(), updated_at: ctx.clock.now() };
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('instance_zone_data')
    .values({ only_one: true, ...data })
    .onConflict((conflict) => conflict.column('only_one').doUpdateSet(data))
    .execute();
  await notifyAlarms(ctx, null);
  return moved;
}

async function syncBatch(ctx: Context, after: number): Promise<{ moved: number; last: number | null }> {
  const now = ctx.clock.now();
  const { runsPerDay } = scheduleLimits(ctx);
  // Only the daily run limit needs the time of a schedule's last run.
  const limited = runsPerDay > 0;
  const schedules: Schedule[] = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipeline_schedules as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select(DUE_COLUMNS)
    .select((eb) => {
      const last = eb
        .selectFrom('pipeline_schedule_runs as x')
        .select('x.due_at')
        .whereRef('x.pipeline_schedule_id', '=', 's.id')
        .where('x.trigger', '=', constant('cron'))
        .where('x.state', '<>', constant('missed'))
        .orderBy('x.id', 'desc')
        .limit(constant(1));
      return limited
        ? scalar(last).as('last_due_at')
        : eb.cast<Date | null>(eb.lit(null), 'timestamptz').as('last_due_at');
    })
    .where('s.id', '>', after)
    .orderBy('s.id')
    .limit(constant(BATCH))
    .forKeyShare('p')
    .forNoKeyUpdate('s')
    .execute();
  const changed = schedules.flatMap((schedule) => {
    if (schedule.next_run_at && schedule.next_run_at <= now) return [];
    const next = nextRunAt(schedule, now, schedule.last_due_at, runsPerDay);
    return next?.getTime() === schedule.next_run_at?.getTime() ? [] : [{ schedule, next }];
  });
  if (changed.length > 0) {
    await moveNextRuns(ctx, changed);
    await recordStopped(
      ctx,
      changed.filter(({ next }) => next === null).map(({ schedule }) => schedule),
    );
  }
  return { moved: changed.length, last: schedules.length < BATCH ? null : (schedules.at(-1) as Schedule).id };
}

/** Records in the last run of a schedule why it stops running (pipeline-schedules.md section 6 rule 5). */
async function recordStopped(ctx: Context, stopped: readonly Schedule[]) {
  if (stopped.length === 0) return;
  const now = ctx.clock.now();
  const rows = unnestedColumns({
    project_id: [stopped.map((schedule) => schedule.project_id), 'bigint'],
    schedule_id: [stopped.map((schedule) => schedule.id), 'bigint'],
    user_id: [stopped.map((schedule) => schedule.owner_id), 'bigint'],
    reason: [stopped.map(whyNoNextRun), 'text'],
  });
  await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('pipeline_schedule_runs')
    .columns([
      'project_id',
      'pipeline_schedule_id',
      'due_at',
      'trigger',
      'user_id',
      'state',
      'cause',
      'reason',
      'created_at',
    ])
    .expression((eb) =>
      eb
        .selectFrom(rows.as('u'))
        .select([
          'u.project_id',
          'u.schedule_id',
          eb.val(now).as('due_at'),
          constant('cron').as('trigger'),
          'u.user_id',
          constant('failed').as('state'),
          constant('never_runs').as('cause'),
          'u.reason',
          eb.val(now).as('created_at'),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
