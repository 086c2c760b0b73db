import { setImmediate } from 'node:timers/promises';
import type { Context } from '../../core/context/context.js';
import { pageNotification } from '../../core/page-changes/page-changes.js';
import { constant, unnestedColumns } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { parseCron } from '../cron/cron.js';
import { dueRuns } from './missed-runs.js';
import type { PlannedRun } from './missed-runs.js';
import { passedByLimit } from './passed-by-limit.js';
import { runPipelineSchedules } from '../ci.jobs.js';
import { scheduleLimits } from './schedule-rules.js';
import { resolveTimeZone } from '../cron/time-zones.js';

/** Runs that one transaction writes at most; after a long outage a few schedules fill it. */
const RUNS_AT_MOST = 10_000;

export interface DueSchedule {
  id: number;
  project_id: number;
  owner_id: number | null;
  cron: string;
  cron_timezone: string;
  missed_policy: string;
  next_run_at: Date;
}

/** What claiming needs of `pipeline_schedules s`. */
export const DUE_COLUMNS = [
  's.id',
  's.project_id',
  's.owner_id',
  's.cron',
  's.cron_timezone',
  's.missed_policy',
  's.next_run_at',
] as const;

/** The reason why a schedule has no next run, as a message (pipeline-schedules.md section 6 rule 5). */
export function whyNoNextRun(schedule: { cron: string; cron_timezone: string }): string {
  const cron = parseCron(schedule.cron);
  if (!cron.ok) return `The schedule does not run again: its cron ${cron.message}.`;
  return resolveTimeZone(schedule.cron_timezone) === null
    ? `The schedule does not run again: its time zone ${schedule.cron_timezone} is unknown.`
    : 'The schedule does not run again: its cron matches no time to come.';
}

function planned(schedule: DueSchedule, now: Date, perDay: number) {
  const plan = { schedule, ...dueRuns(schedule, now, perDay) };
  const last = plan.runs.at(-1);
  if (plan.nextRunAt === null && last) last.reason = whyNoNextRun(schedule);
  return plan;
}

/**
 * Claims due schedules whose rows are locked by the caller's transaction: advances their `next_run_at`, inserts their
 * runs and enqueues those that fire. Returns the number of claimed schedules, counted from the start of the list: as
 * many as one transaction can handle.
 */
export async function claimDue(ctx: Context, due: readonly DueSchedule[], now: Date): Promise<number> {
  const { runsPerDay } = scheduleLimits(ctx);
  const passed = await passedByLimit(ctx, due, runsPerDay);
  const plans: ReturnType<typeof planned>[] = [];
  for (let count = 0; plans.length < due.length && count < RUNS_AT_MOST;) {
    const plan = planned(due[plans.length] as DueSchedule, now, runsPerDay);
    // Before its other runs: the newest run of a schedule is the one written last.
    const unrun = passed.get(plan.schedule.id);
    if (unrun) plan.runs.unshift(unrun);
    plans.push(plan);
    count += plan.runs.length;
    // After an outage one schedule may have thousands of due times; yielding keeps the process's alarm on time.
    if (plan.runs.length > 1) await setImmediate();
  }
  if (plans.length === 0) return 0;
  await moveNextRuns(
    ctx,
    plans.map(({ schedule, nextRunAt }) => ({ schedule, next: nextRunAt })),
  );
  const fired = await insertRuns(
    ctx,
    plans.flatMap(({ schedule, runs }) => runs.map((run) => ({ ...run, schedule }))),
  );
  await ctx.jobs.sendAll(
    runPipelineSchedules,
    fired.map((id) => ({ run_id: id })),
  );
  return plans.length;
}

/** Updates the next runs of many schedules and notifies pages. */
export async function moveNextRuns(
  ctx: Context,
  moved: readonly { schedule: Pick<DueSchedule, 'id' | 'project_id'>; next: Date | null }[],
): Promise<void> {
  const next = unnestedColumns({
    id: [moved.map(({ schedule }) => schedule.id), 'bigint'],
    next_run_at: [moved.map((one) => one.next), 'timestamptz'],
  });
  const projectIds = moved.map(({ schedule }) => schedule.project_id);
  await ctx.em
    .getKysely<CiDatabase>()
    .with('moved', (db) =>
      db
        .updateTable('pipeline_schedules as s')
        .from(next.as('u'))
        .set((eb) => ({ next_run_at: eb.ref('u.next_run_at') }))
        .whereRef('s.id', '=', 'u.id'),
    )
    .selectNoFrom(pageNotification('pipeline_schedules', projectIds).as('notified'))
    .execute();
}

/** Writes runs, each due time once; answers the ids of those that are to fire. */
async function insertRuns(ctx: Context, runs: (PlannedRun & { schedule: DueSchedule })[]): Promise<number[]> {
  const now = ctx.clock.now();
  const planned = unnestedColumns({
    project_id: [runs.map((run) => run.schedule.project_id), 'bigint'],
    schedule_id: [runs.map((run) => run.schedule.id), 'bigint'],
    due_at: [runs.map((run) => run.dueAt), 'timestamptz'],
    user_id: [runs.map((run) => run.schedule.owner_id), 'bigint'],
    state: [runs.map((run) => run.state), 'text'],
    cause: [runs.map((run) => run.cause), 'text'],
    reason: [runs.map((run) => run.reason), 'text'],
  });
  const rows = await ctx.em
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
        .selectFrom(planned.as('u'))
        .select([
          'u.project_id',
          'u.schedule_id',
          'u.due_at',
          constant('cron').as('trigger'),
          'u.user_id',
          'u.state',
          'u.cause',
          'u.reason',
          eb.val(now).as('created_at'),
        ]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'state'])
    .execute();
  return rows.filter((row) => row.state === 'pending').map((row) => row.id);
}
