import { expressionBuilder, sql } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import { PipelineScheduleRun } from '../pipeline-schedules/pipeline-schedule.entity.js';
import type { ScheduleRecord } from '../pipeline-schedules/pipeline-schedule.entity.js';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { instant, list, optional, oneOf } from '../../core/operations/fields.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import { operation } from '../../core/operations/operation.js';
import type { CiDatabase } from '../ci.entities.js';
import { pipelineSchedule } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { ON_TIME_MS, RUN_COLUMNS, RUN_OUTCOMES, RUN_STATES } from './schedule-run.serializer.js';
import type { RunOutcome, RunRecord } from './schedule-run.serializer.js';

type OfRuns = Aliased<CiDatabase, { x: 'pipeline_schedule_runs' }>;

/** Builds conditions on runs `x`. */
const onRuns = expressionBuilder<OfRuns, 'x'>();

const selectRuns = <O>(query: SelectQueryBuilder<OfRuns, 'x', O>) =>
  query.select([...columns(PipelineScheduleRun, 'x', RUN_COLUMNS), constant<boolean>(true).as('recorded')]);

/** Rows of a table that one statement reads. */
const BATCH = 5_000;

const rangeParams = {
  outcome: optional(list(oneOf(RUN_OUTCOMES), { commas: true })).describe(
    'Filter by outcome of the run, one or several: a state, or `on_time`, `late` (by over a second) or `played` instead of `fired`.',
  ),
  due_after: optional(instant()).describe('Return runs due at or after this time.'),
  due_before: optional(instant()).describe('Return runs due before this time.'),
};

interface Range {
  outcome?: readonly RunOutcome[] | undefined;
  due_after?: Date | undefined;
  due_before?: Date | undefined;
}

const lateness = sql<
  number | null
>`extract(epoch from ${onRuns.ref('x.started_at')} - ${onRuns.ref('x.due_at')}) * 1000`;

/** The outcome of run `x`, as defined by `runOutcome`. */
const outcome = onRuns
  .case()
  .when('x.state', '<>', constant('fired'))
  .then(onRuns.ref('x.state'))
  .when('x.trigger', '=', constant('play'))
  .then(constant('played'))
  .when(lateness, '<=', constant(ON_TIME_MS))
  .then(constant('on_time'))
  .else(constant('late'))
  .end();

const STATE_OF: Readonly<Record<string, string>> = { on_time: 'fired', late: 'fired', played: 'fired' };

function rangeConditions(
  schedule: ScheduleRecord,
  { outcome: outcomes, due_after: from, due_before: to }: Range,
): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [onRuns('x.pipeline_schedule_id', '=', schedule.id)];
  if (outcomes?.length) {
    const states = [...new Set(outcomes.map((one) => STATE_OF[one] ?? one))];
    conditions.push(onRuns('x.state', '=', anyOf(states, 'text')), onRuns(outcome, '=', anyOf(outcomes, 'text')));
  }
  if (from) conditions.push(onRuns('x.due_at', '>=', from));
  if (to) conditions.push(onRuns('x.due_at', '<', to));
  return conditions;
}

type RunSource = Pick<List<RunRecord>, 'matching' | 'select'>;

const db = expressionBuilder<CiDatabase>();
const STORED: RunSource = { matching: db.selectFrom('pipeline_schedule_runs as x'), select: selectRuns };

/**
 * Adds the due times that an inactive schedule skips. They are not recorded, so the first one is listed as a run
 * without an id.
 */
function withPassed(ctx: Context, schedule: ScheduleRecord): RunSource {
  const stored = db
    .selectFrom('pipeline_schedule_runs as r')
    .select([
      ...columns(PipelineScheduleRun, 'r', RUN_COLUMNS),
      'r.pipeline_schedule_id',
      constant<boolean>(true).as('recorded'),
    ])
    .where('r.pipeline_schedule_id', '=', schedule.id);
  const passed = ctx.em.getKysely<CiDatabase>().selectNoFrom([
    // An id that sorts after all others, also in a cursor.
    constant<number>(Number.MAX_SAFE_INTEGER).as('id'),
    db.cast<Date>(db.val(schedule.next_run_at), 'timestamptz').as('due_at'),
    constant(null).as('started_at'),
    constant<string>('skipped').as('state'),
    constant<string>('inactive').as('cause'),
    constant<string>('The schedule is inactive: it does not run until it is activated.').as('reason'),
    constant(null).as('pipeline_id'),
    constant<string>('cron').as('trigger'),
    db.cast<number>(db.val(schedule.id), 'bigint').as('pipeline_schedule_id'),
    constant<boolean>(false).as('recorded'),
  ]);
  return {
    matching: db.selectFrom(stored.unionAll(passed).as('x')),
    select: (query) => query.select([...columns(PipelineScheduleRun, 'x', RUN_COLUMNS), 'x.recorded']),
  };
}

/** Why did the nightly not run? Every run of a schedule, newest first: fired, failed, missed or skipped, and why. */
export const listRunsOfSchedule = operation({
  name: 'listRunsOfSchedule',
  summary: 'List the runs of a pipeline schedule',
  resource: pipelineSchedule,
  kind: 'read',
  statements: 5,
  params: { state: optional(oneOf(RUN_STATES)).describe('Filter by state of the run.'), ...rangeParams },
  run(ctx, schedule, input): Promise<List<RunRecord>> {
    const passed = !schedule.active && schedule.next_run_at instanceof Date && schedule.next_run_at <= ctx.clock.now();
    const where = rangeConditions(schedule, input as Range);
    if (input.state !== undefined) where.push(onRuns('x.state', '=', input.state));
    const list: List<RunRecord> = {
      ...(passed ? withPassed(ctx, schedule) : STORED),
      order: [byId('x', 'desc')],
      keyset: { type: 'PipelineScheduleRun', by: 'cursor', offered: true },
    };
    return Promise.resolve(narrow(list, where));
  },
});

/** How punctually a schedule ran: counts by outcome and cause, and the delay of its cron runs in milliseconds. */
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

function getSummary(rows: readonly Counted[]): LedgerSummary {
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

/** Count the runs of a schedule by outcome and cause, and report their delays. */
export const summariseRunsOfSchedule = operation({
  name: 'summariseRunsOfSchedule',
  summary: 'Summarise the runs of a pipeline schedule',
  resource: pipelineSchedule,
  kind: 'read',
  statements: 4,
  params: rangeParams,
  async run(ctx, schedule, input): Promise<LedgerSummary> {
    const summary = ctx.em
      .getKysely<CiDatabase>()
      .with('runs', (of) =>
        of
          .selectFrom('pipeline_schedule_runs as x')
          .select((eb) => [
            outcome.as('outcome'),
            'x.cause',
            'x.due_at',
            eb
              .case()
              .when(eb.and([eb('x.state', '=', constant('fired')), eb('x.trigger', '=', constant('cron'))]))
              .then(eb.cast<number | null>(eb.parens(lateness), 'float8'))
              .end()
              .as('late_ms'),
          ])
          .where(onRuns.and(rangeConditions(schedule, input as Range))),
      )
      .selectFrom('runs as r')
      .select((eb) => {
        const percentiles = eb.fn
          .agg<number[]>('percentile_cont', [eb.cast(constant('{0.5,0.9,0.99,1.0}'), sql`float8[]`)])
          .withinGroupOrderBy('r.late_ms');
        return [
          'r.outcome',
          'r.cause',
          eb.fn.countAll<number>().as('count'),
          eb.fn.min('r.due_at').as('first_due_at'),
          eb.fn.max('r.due_at').as('last_due_at'),
          eb
            .case()
            .when(eb.fn<number>('grouping', ['r.outcome']), '=', eb.lit(1))
            .then(percentiles)
            .end()
            .as('percentiles'),
        ];
      })
      // Of each outcome and cause, and of all together.
      .groupBy((eb) => sql`grouping sets (${eb.refTuple('r.outcome', 'r.cause')}, ())`);
    const rows = await summary.$castTo<Counted>().execute();
    return getSummary(rows);
  },
});

/** Runs as a table: the newest first, so many at a time. */
export interface LedgerTable {
  name: string;
  batches: AsyncIterable<readonly RunRecord[]>;
}

async function* getBatches(ctx: Context, where: readonly Expression<SqlBool>[]): AsyncGenerator<readonly RunRecord[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ;) {
    const rows = await selectRuns(ctx.em.getKysely<CiDatabase>().selectFrom('pipeline_schedule_runs as x'))
      .where(onRuns.and(where))
      .where('x.id', '<', before)
      .orderBy('x.id', 'desc')
      .limit(constant(BATCH))
      .execute();
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    before = (rows.at(-1) as RunRecord).id;
  }
}

/** The runs of a schedule as a file. */
export const exportRunsOfSchedule = operation({
  name: 'exportRunsOfSchedule',
  summary: 'Download the runs of a pipeline schedule as CSV',
  resource: pipelineSchedule,
  kind: 'read',
  statements: 5,
  params: rangeParams,
  run: (ctx, schedule, input): Promise<LedgerTable> =>
    Promise.resolve({
      name: `schedule-${schedule.id}-runs.csv`,
      batches: getBatches(ctx, rangeConditions(schedule, input as Range)),
    }),
});
