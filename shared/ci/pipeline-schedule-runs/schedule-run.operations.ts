import type { ScheduleRecord } from '../pipeline-schedules/pipeline-schedule.entity.js';
import type { Context } from '../../core/context/context.js';
import { integer, text, withDefault } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { cronHint } from '../cron/cron-hint.js';
import { minutesApart } from '../cron/next-run.js';
import { nextRuns } from '../cron/next-runs.js';
import type { UpcomingRun } from '../cron/next-runs.js';
import { pipelineSchedule } from '../pipeline-schedules/pipeline-schedule.finder.js';
import {
  scheduleLimits,
  lastClaimed,
  assertNoProblems,
  scheduleProblems,
} from '../pipeline-schedules/schedule-rules.js';

const countParam = withDefault(
  integer().refine((count) => count >= 1 && count <= 100, 'does not have a valid value'),
  5,
).describe('Number of runs, 1 to 100.');

type Times = Pick<ScheduleRecord, 'cron' | 'cron_timezone'>;

/** The coming runs under the limit of runs a day, where there is one: each far enough from the one before. */
function limitedRuns(schedule: Times, now: Date, last: Date | null, perDay: number, count: number): UpcomingRun[] {
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

async function upcomingRuns(
  ctx: Context,
  times: Times,
  count: number,
  last: () => Promise<Date | null>,
): Promise<UpcomingRun[]> {
  const now = ctx.clock.now();
  const { runsPerDay } = scheduleLimits(ctx);
  if (runsPerDay === 0) return nextRuns(times.cron, times.cron_timezone, now, count);
  return limitedRuns(times, now, await last(), runsPerDay, count);
}

/** When a schedule runs next, with a note on nights on which the clock changes. */
export const listNextRunsOfSchedule = operation({
  name: 'listNextRunsOfSchedule',
  summary: 'List the next runs of a pipeline schedule',
  resource: pipelineSchedule,
  kind: 'read',
  statements: 4,
  params: { count: countParam },
  async run(ctx, schedule, input) {
    const inactive = schedule.active ? null : 'The schedule is inactive: it does not run until it is activated';
    const runs = await upcomingRuns(ctx, schedule, input.count, () => lastClaimed(ctx, schedule.id));
    return runs.map((run) => ({
      ...run,
      note: [inactive, run.note].filter((note) => note !== null).join('. ') || null,
    }));
  },
});

/**
 * Preview when a schedule with these values would run, without saving anything. Invalid values are reported as they
 * would be on saving.
 */
export const previewNextRuns = operation({
  name: 'previewNextRuns',
  summary: 'List the next runs of a cron expression that is not saved',
  example: { cron: '30 2 * * *' },
  resource: instance,
  kind: 'read',
  statements: 2,
  params: {
    cron: text()
      .describe('Five-field cron expression.')
      .meta({ examples: ['30 2 * * *'] }),
    cron_timezone: withDefault(text(), 'UTC').describe('IANA name or long display name of the time zone.'),
    count: countParam,
  },
  async run(ctx, _instance, { cron, cron_timezone, count }) {
    const times = { cron: cron.trim(), cron_timezone };
    assertNoProblems(scheduleProblems({ ...times, description: 'preview' }, ctx.clock.now()), cronHint(times.cron));
    return upcomingRuns(ctx, times, count, () => Promise.resolve(null));
  },
});
