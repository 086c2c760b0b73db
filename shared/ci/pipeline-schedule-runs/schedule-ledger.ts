import type { ScheduleRecord } from '../pipeline-schedules/pipeline-schedule.record.js';
import type { Context } from '../../core/context.js';
import { instant, list, optional, oneOf } from '../../core/fields.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { operation } from '../../core/operation.js';
import { and, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { pipelineSchedule } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { ON_TIME_MS, RUN_OUTCOMES, RUN_STATES } from './schedule-run.shape.js';
import type { RunOutcome, RunRecord } from './schedule-run.shape.js';

const RUN_COLUMNS = raw('x.id, x.due_at, x.started_at, x.state, x.cause, x.reason, x.pipeline_id, x.trigger');
const STORED = sql`pipeline_schedule_runs x`;

/** Rows of a table that one statement reads. */
const BATCH = 5_000;

const rangeParams = {
  outcome: optional(list(oneOf(RUN_OUTCOMES), { commas: true })).describe(
    'Only those of which this became, or one of these: a state, or `on_time`, `late` (by over a second) or `played` in place of `fired`.',
  ),
  due_after: optional(instant()).describe('Only those due at this instant or later.'),
  due_before: optional(instant()).describe('Only those due before this instant.'),
};

interface Range {
  outcome?: readonly RunOutcome[] | undefined;
  due_after?: Date | undefined;
  due_before?: Date | undefined;
}

const lateness = sql`extract(epoch from x.started_at - x.due_at) * 1000`;

/** The outcome of run `x`, as `runOutcome` tells it. */
const outcome = sql`case when x.state <> 'fired' then x.state when x.trigger = 'play' then 'played'
  when ${lateness} <= ${ON_TIME_MS} then 'on_time' else 'late' end`;

const STATE_OF: Readonly<Record<string, string>> = { on_time: 'fired', late: 'fired', played: 'fired' };

function rangeConditions(
  schedule: ScheduleRecord,
  { outcome: wanted, due_after: from, due_before: to }: Range,
): Fragment[] {
  const conditions = [sql`x.pipeline_schedule_id = ${schedule.id}`];
  if (wanted?.length) {
    const states = [...new Set(wanted.map((one) => STATE_OF[one] ?? one))];
    conditions.push(and([sql`x.state = any(${states}::text[])`, sql`${outcome} = any(${wanted}::text[])`]));
  }
  if (from) conditions.push(sql`x.due_at >= ${from}`);
  if (to) conditions.push(sql`x.due_at < ${to}`);
  return conditions;
}

/** What an inactive schedule lets pass is not recorded, so it is told: the first moment, as a run without an id. */
function withPassed(schedule: ScheduleRecord): Fragment {
  const reason = 'The schedule is inactive: it does not run until it is activated.';
  // Its id stands before all others in the order, and in a cursor.
  return sql`(
    select ${RUN_COLUMNS}, x.pipeline_schedule_id, true as recorded from pipeline_schedule_runs x
     where x.pipeline_schedule_id = ${schedule.id}
    union all
    select ${Number.MAX_SAFE_INTEGER}::bigint, ${schedule.next_run_at}::timestamptz, null, 'skipped', 'inactive', ${reason},
           null, 'cron', ${schedule.id}::bigint, false) x`;
}

/** Why did the nightly not run? Every run of a schedule, newest first: fired, failed, missed or skipped, and why. */
export const listRunsOfSchedule = operation({
  name: 'listRunsOfSchedule',
  summary: 'List the runs of a pipeline schedule',
  subject: pipelineSchedule,
  kind: 'read',
  statements: 5,
  params: { state: optional(oneOf(RUN_STATES)).describe('Only those that came to this.'), ...rangeParams },
  run(ctx, schedule, input): Promise<TextList<RunRecord>> {
    const passed = !schedule.active && schedule.next_run_at instanceof Date && schedule.next_run_at <= ctx.clock.now();
    const where = rangeConditions(schedule, input as Range);
    if (input.state !== undefined) where.push(sql`x.state = ${input.state}`);
    return Promise.resolve({
      select: passed ? sql`${RUN_COLUMNS}, x.recorded` : sql`${RUN_COLUMNS}, true as recorded`,
      from: passed ? withPassed(schedule) : STORED,
      where,
      order: [byId('x', 'desc')],
      keyset: { type: 'PipelineScheduleRun', by: 'cursor', offered: true },
    });
  },
});

/** How a schedule kept its times: counts by outcome and cause, and how late its runs by cron were, in milliseconds. */
export interface LedgerSummary {
  total: number;
  outcomes: Record<RunOutcome, number>;
  causes: Record<string, number>;
  lateness_ms: Record<'p50' | 'p90' | 'p99' | 'max', number | null>;
  first_due_at: string | null;
  last_due_at: string | null;
}

interface Counted {
  outcome: RunOutcome | null;
  cause: string | null;
  count: number;
  first_due_at: Date;
  last_due_at: Date;
  percentiles: number[] | null;
}

const addTo = <K extends string>(counts: Record<K, number>, key: K, count: number) => {
  counts[key] = (counts[key] ?? 0) + count;
};

function summaryOf(rows: readonly Counted[]): LedgerSummary {
  const outcomes = Object.fromEntries(RUN_OUTCOMES.map((name) => [name, 0])) as Record<RunOutcome, number>;
  const causes: Record<string, number> = {};
  const whole = rows.find((row) => row.outcome === null);
  for (const { outcome: name, cause, count } of rows) {
    if (name === null) continue;
    addTo(outcomes, name, count);
    if (cause !== null) addTo(causes, cause, count);
  }
  const [p50 = null, p90 = null, p99 = null, max = null] = (whole?.percentiles ?? []).map(Math.round);
  return {
    total: whole?.count ?? 0,
    outcomes,
    causes,
    lateness_ms: { p50, p90, p99, max },
    first_due_at: whole?.count ? whole.first_due_at.toISOString() : null,
    last_due_at: whole?.count ? whole.last_due_at.toISOString() : null,
  };
}

/** Count the runs of a schedule by what became of them, and tell how late they were. */
export const summariseRunsOfSchedule = operation({
  name: 'summariseRunsOfSchedule',
  summary: 'Summarise the runs of a pipeline schedule',
  subject: pipelineSchedule,
  kind: 'read',
  statements: 4,
  params: rangeParams,
  async run(ctx, schedule, input): Promise<LedgerSummary> {
    const rows = await ctx.query<Counted>(sql`
      with runs as (
        select ${outcome} as outcome, x.cause, x.due_at,
               case when x.state = 'fired' and x.trigger = 'cron' then (${lateness})::float8 end as late_ms
          from pipeline_schedule_runs x where ${and(rangeConditions(schedule, input as Range))})
      select r.outcome, r.cause, count(*) as count, min(r.due_at) as first_due_at, max(r.due_at) as last_due_at,
             case when grouping(r.outcome) = 1
                  then percentile_cont(array[0.5, 0.9, 0.99, 1.0]::float8[]) within group (order by r.late_ms) end as percentiles
        from runs r group by grouping sets ((r.outcome, r.cause), ())`);
    return summaryOf(rows);
  },
});

/** Runs as a table: the newest first, so many at a time. */
export interface LedgerTable {
  name: string;
  batches: AsyncIterable<readonly RunRecord[]>;
}

async function* batchesOf(ctx: Context, where: readonly Fragment[]): AsyncGenerator<readonly RunRecord[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await ctx.query<RunRecord>(sql`
      select ${RUN_COLUMNS}, true as recorded from pipeline_schedule_runs x
       where ${and([...where, sql`x.id < ${before}`])} order by x.id desc limit ${BATCH}`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    before = (rows.at(-1) as RunRecord).id;
  }
}

/** The runs of a schedule as a file. */
export const exportRunsOfSchedule = operation({
  name: 'exportRunsOfSchedule',
  summary: 'Download the runs of a pipeline schedule as CSV',
  subject: pipelineSchedule,
  kind: 'read',
  statements: 5,
  params: rangeParams,
  run: (ctx, schedule, input): Promise<LedgerTable> =>
    Promise.resolve({
      name: `schedule-${schedule.id}-runs.csv`,
      batches: batchesOf(ctx, rangeConditions(schedule, input as Range)),
    }),
});
