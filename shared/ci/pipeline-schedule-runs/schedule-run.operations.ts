import type { ScheduleRecord } from '../pipeline-schedules/pipeline-schedule.record.js';
import type { Context } from '../../core/context.js';
import { integer, optional, oneOf, withDefault } from '../../core/fields.js';
import type { List } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { operation } from '../../core/operation.js';
import { raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { minutesApart } from '../cron/next-run.js';
import { nextRuns } from '../cron/next-runs.js';
import type { UpcomingRun } from '../cron/next-runs.js';
import { pipelineSchedule } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { scheduleLimits } from '../pipeline-schedules/schedule-limits.js';
import { lastClaimed } from '../pipeline-schedules/schedule-rules.js';
import { RUN_STATES } from './schedule-run.shape.js';
import type { RunRecord } from './schedule-run.shape.js';

const RUN_COLUMNS = raw('x.id, x.due_at, x.started_at, x.state, x.reason, x.pipeline_id, x.trigger');
const STORED = sql`pipeline_schedule_runs x`;

/** What an inactive schedule lets pass is not recorded, so it is told: the first moment, as a run without an id. */
function withPassed(schedule: ScheduleRecord): Sql {
  const reason = 'The schedule is inactive: it does not run until it is activated.';
  return sql`(
    select ${RUN_COLUMNS}, x.pipeline_schedule_id, true as recorded from pipeline_schedule_runs x
     where x.pipeline_schedule_id = ${schedule.id}
    union all
    select 9223372036854775807, ${schedule.next_run_at}::timestamptz, null, 'skipped', ${reason}, null, 'cron',
           ${schedule.id}::bigint, false) x`;
}

/** Why did the nightly not run? Every run of a schedule, newest first: fired, failed, missed or skipped, and why. */
export const listRunsOfSchedule = operation({
  name: 'listRunsOfSchedule',
  summary: 'List the runs of a pipeline schedule',
  subject: pipelineSchedule,
  kind: 'read',
  statements: 5,
  params: { state: optional(oneOf(RUN_STATES)).describe('Only those that came to this.') },
  run(ctx, schedule, input): Promise<List<RunRecord>> {
    const passed = !schedule.active && schedule.next_run_at instanceof Date && schedule.next_run_at <= ctx.clock.now();
    const where = [sql`x.pipeline_schedule_id = ${schedule.id}`];
    if (input.state !== undefined) where.push(sql`x.state = ${input.state}`);
    return Promise.resolve({
      select: passed ? sql`${RUN_COLUMNS}, x.recorded` : sql`${RUN_COLUMNS}, true as recorded`,
      from: passed ? withPassed(schedule) : STORED,
      where,
      order: [byId('x', 'desc')],
    });
  },
});

/** The coming runs under the limit of runs a day, where there is one: each far enough from the one before. */
function limitedRuns(
  schedule: ScheduleRecord,
  now: Date,
  last: Date | null,
  perDay: number,
  count: number,
): UpcomingRun[] {
  const runs: UpcomingRun[] = [];
  let previous = last;
  while (runs.length < count) {
    // One millisecond less, because the next one is strictly later.
    const earliest = previous ? previous.getTime() + minutesApart(perDay) * 60_000 - 1 : 0;
    const after = new Date(Math.max(now.getTime(), earliest, runs.at(-1)?.at.getTime() ?? 0));
    const [run] = nextRuns(schedule.cron, schedule.cron_timezone, after, 1);
    if (!run) break;
    runs.push(run);
    previous = run.at;
  }
  return runs;
}

async function upcomingRuns(ctx: Context, schedule: ScheduleRecord, count: number): Promise<UpcomingRun[]> {
  const now = ctx.clock.now();
  const { runsPerDay } = scheduleLimits(ctx);
  if (runsPerDay === 0) return nextRuns(schedule.cron, schedule.cron_timezone, now, count);
  return limitedRuns(schedule, now, await lastClaimed(ctx, schedule.id), runsPerDay, count);
}

/** When a schedule runs next, with a note on nights on which the clock changes. */
export const listNextRunsOfSchedule = operation({
  name: 'listNextRunsOfSchedule',
  summary: 'List the next runs of a pipeline schedule',
  subject: pipelineSchedule,
  kind: 'read',
  statements: 4,
  params: {
    count: withDefault(
      integer().refine((count) => count >= 1 && count <= 100, 'does not have a valid value'),
      5,
    ).describe('How many, 1 to 100.'),
  },
  async run(ctx, schedule, input) {
    const inactive = schedule.active ? null : 'The schedule is inactive: it does not run until it is activated';
    const runs = await upcomingRuns(ctx, schedule, input.count);
    return runs.map((run) => ({
      ...run,
      note: [inactive, run.note].filter((note) => note !== null).join('. ') || null,
    }));
  },
});
