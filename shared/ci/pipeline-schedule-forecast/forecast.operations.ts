import type { Expression, SqlBool } from 'kysely';
import type { z } from 'zod';
import { constant, unnestedColumns } from '../../core/database/expressions.js';
import type { Context } from '../../core/context/context.js';
import { BadParams } from '../../core/values/errors.js';
import { instant, integer, optional, oneOf, withDefault } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { CiDatabase } from '../ci.entities.js';
import { scopeConditions, scopeParams } from '../pipeline-schedule-runs/schedule-scope.js';
import type { Scope } from '../pipeline-schedule-runs/schedule-scope.js';
import { scheduleLimits } from '../pipeline-schedules/schedule-rules.js';
import { onSchedules } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { readsSchedules, scheduleOrder, visibleSchedules } from '../pipeline-schedules/visible-schedules.js';
import { eachThatFires, MINUTE_MS, afterOutage } from './forecast-due-times.js';
import type { DueMinutes, TimeRange, Times, AfterOutage } from './forecast-due-times.js';
import { countedForecast, countedOutage } from './forecast-counts.js';
import type { Forecast, Outage } from './forecast-counts.js';
import type { ForecastSchedule } from './forecast.serializer.js';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const DAYS_AT_MOST = 7;
/** Beyond this horizon, zones may change their clocks in ways not known yet. */
const REACH_MS = 2 * 366 * DAY_MS;
/** Maximum number of different times counted, those with the most schedules first. */
const TIMES_AT_MOST = 50_000;

/** How many schedules have these times, and what becomes of what they miss. */
interface TimesOfMany extends Times {
  missed_policy: string;
  count: number;
  total: number;
}

/** Conditions for active schedules with a next run that the caller can read in this scope. */
async function runningConditions(ctx: Context, scope: Scope): Promise<Expression<SqlBool>[]> {
  return [
    onSchedules.ref('s.active'),
    onSchedules('s.next_run_at', 'is not', null),
    ...(await scopeConditions(ctx, scope)),
  ];
}

const TIMES = ['s.cron', 's.cron_timezone', 's.missed_policy'] as const;

const getTimes = (ctx: Context, where: readonly Expression<SqlBool>[]): Promise<TimesOfMany[]> =>
  ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipeline_schedules as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select(TIMES)
    .select(({ cast, fn }) => [
      fn.countAll<number>().as('count'),
      cast<number>(fn.sum(fn.countAll()).over(), 'bigint').as('total'),
    ])
    .where(onSchedules.and([readsSchedules(ctx), ...where]))
    .groupBy(TIMES)
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .limit(constant(TIMES_AT_MOST))
    .execute();

/** From the first whole minute on: schedules know no seconds. @throws BadParams */
function requireRange(now: Date, { from: start, to }: TimeRange, name: string): TimeRange {
  const from = Math.ceil(start / MINUTE_MS) * MINUTE_MS;
  const near = Math.abs(from - now.getTime()) <= REACH_MS;
  if (!near || to <= from || to - from > DAYS_AT_MOST * DAY_MS)
    throw new BadParams([`${name} does not have a valid value`]);
  return { from, to };
}

/** The requested outage, or null. @throws BadParams if only one end is passed */
function getOutage(now: Date, from: Date | undefined, to: Date | undefined): TimeRange | null {
  if (!from && !to) return null;
  if (!from) throw new BadParams(['down_from is missing']);
  if (!to) throw new BadParams(['down_to is missing']);
  return requireRange(now, { from: from.getTime(), to: to.getTime() }, 'down_to');
}

/**
 * Forecasts the schedules that the caller can read: hourly counts for up to seven days, minutes at which very many
 * fire, and the effects of an outage. Schedules are grouped by their times, so that a hundred thousand schedules cost
 * only as much as their different times.
 */
export const forecastPipelineSchedules = operation({
  name: 'forecastPipelineSchedules',
  summary: 'Forecast runs of pipeline schedules',
  resource: instance,
  kind: 'read',
  statements: 5,
  params: {
    ...scopeParams,
    from: optional(instant()).describe('Start of the forecast, from the hour of this time; now by default.'),
    days: withDefault(
      integer().refine((days) => days >= 1 && days <= DAYS_AT_MOST, 'does not have a valid value'),
      DAYS_AT_MOST,
    ).describe('Number of days, 1 to 7.'),
    crowd: withDefault(
      integer().refine((crowd) => crowd >= 2, 'does not have a valid value'),
      10,
    ).describe('Minimum number of schedules in one minute to be reported as a stampede.'),
    down_from: optional(instant()).describe('Start of a hypothetical outage of the service; requires `down_to`.'),
    down_to: optional(instant()).describe('End of the hypothetical outage; up to seven days after the start.'),
  },
  async run(ctx, _instance, input): Promise<Forecast & { outage: Outage | null }> {
    const now = ctx.clock.now();
    const start = Math.floor((input.from ?? now).getTime() / HOUR_MS) * HOUR_MS;
    const range = requireRange(now, { from: start, to: start + input.days * DAY_MS }, 'from');
    const down = getOutage(now, input.down_from, input.down_to);
    const times = await getTimes(ctx, await runningConditions(ctx, input));
    const { runsPerDay } = scheduleLimits(ctx);
    const forecast = await countedForecast(times, range, runsPerDay, input.crowd, ctx.signal);
    return { ...forecast, outage: down && (await countedOutage(times, down, runsPerDay, ctx.signal)) };
  },
});

const fromTo = {
  from: instant()
    .describe('Start of the time range, inclusive.')
    .meta({ examples: ['2026-12-01T02:00:00Z'] }),
  to: instant()
    .describe('End of the time range, exclusive; up to seven days after the start.')
    .meta({ examples: ['2026-12-01T03:00:00Z'] }),
  missed_policy: optional(oneOf(['last', 'skip', 'all'])).describe('Filter by policy for missed runs.'),
};

type ForecastInput = z.output<z.ZodObject<typeof fromTo>> & Scope;

/** Times that fire in the range, with when, by expression and zone. */
async function firingTimes(ctx: Context, where: readonly Expression<SqlBool>[], range: TimeRange) {
  const found = new Map<string, { times: Times; dueMinutes: DueMinutes }>();
  const { runsPerDay } = scheduleLimits(ctx);
  await eachThatFires(await getTimes(ctx, where), range, runsPerDay, ctx.signal, (times, dueMinutes) =>
    found.set(getKey(times), { times, dueMinutes }),
  );
  return found;
}

const getKey = ({ cron, cron_timezone: zone }: Times): string => JSON.stringify([cron, zone]);

async function listFiring(ctx: Context, input: ForecastInput): Promise<List<ForecastSchedule>> {
  const range = requireRange(ctx.clock.now(), { from: input.from.getTime(), to: input.to.getTime() }, 'to');
  const where = await runningConditions(ctx, input);
  if (input.missed_policy !== undefined) where.push(onSchedules('s.missed_policy', '=', input.missed_policy));
  const firing = await firingTimes(ctx, where, range);
  const times = [...firing.values()].map((one) => one.times);
  const found = unnestedColumns({
    cron: [times.map(({ cron }) => cron), 'text'],
    zone: [times.map(({ cron_timezone: zone }) => zone), 'text'],
  });
  const fires = onSchedules(
    onSchedules.refTuple('s.cron', 's.cron_timezone'),
    'in',
    onSchedules.selectFrom(found.as('f')).select(['f.cron', 'f.zone']).$asTuple('cron', 'zone'),
  );
  const visible = visibleSchedules<ForecastSchedule>(ctx, [...where, fires], scheduleOrder('id', 'asc'));
  return {
    ...visible,
    read(row) {
      const { dueMinutes } = firing.get(getKey(row)) as { dueMinutes: DueMinutes };
      const at = (minute: number | undefined) => new Date(range.from + (minute as number) * MINUTE_MS);
      const after: AfterOutage = afterOutage(row.missed_policy, dueMinutes, range);
      return { ...row, moments: dueMinutes.length, first_at: at(dueMinutes[0]), last_at: at(dueMinutes.at(-1)), after };
    },
  };
}

/** Which schedules fire in a time range, and what would become of that, were the service down through it. */
export const listForecastPipelineSchedules = operation({
  name: 'listForecastPipelineSchedules',
  summary: 'List the pipeline schedules that fire within a time range',
  resource: instance,
  kind: 'read',
  statements: 7,
  params: { ...scopeParams, ...fromTo },
  run: (ctx, _instance, input) => listFiring(ctx, input),
});
