import type { Expression, SqlBool, Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { anyOf, constant, likeLiteral, sameText, unnested } from '../../core/database/expressions.js';
import {
  boolean,
  instant,
  list,
  optional,
  oneOf,
  text,
  wholeNumber,
  withDefault,
} from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { CiDatabase } from '../ci.entities.js';
import { nextRunWithDailyLimit } from '../cron/next-run.js';
import { membershipCondition } from '../../tenancy/project-details/project-access-filters.js';
import { PipelineScheduleRun } from '../pipeline-schedules/pipeline-schedule.entity.js';
import { listedFields } from '../pipeline-schedules/pipeline-schedule.serializer.js';
import { scheduleLimits } from '../pipeline-schedules/schedule-rules.js';
import { ATTENTIONS, attentions, needsAttention } from './schedule-attention.js';
import { scopeConditions, scopeParams } from './schedule-scope.js';
import { RUN_COLUMNS, RUN_STATES, scheduleRunSerializer } from './schedule-run.serializer.js';
import { onSchedules } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { scheduleOrder, visibleSchedules } from '../pipeline-schedules/visible-schedules.js';
import type { VisibleSchedule } from '../pipeline-schedules/visible-schedules.js';

const filterParams = {
  ...scopeParams,
  active: optional(boolean()).describe(
    'If `true`, returns only active schedules; if `false`, only inactive schedules.',
  ),
  due_before: optional(instant()).describe('Return schedules whose next run is before this time.'),
  last_run_status: optional(list(oneOf(RUN_STATES), { commas: true })).describe(
    'Filter by state of the newest run, one or several.',
  ),
  owner: optional(text()).describe('Filter by username of the owner.'),
  search: optional(text()).describe('Search by text in the description, case-insensitive.'),
  membership: optional(boolean()).describe(
    'If `true`, returns only schedules in projects that the caller is a member of, in any way.',
  ),
  attention: optional(boolean()).describe(
    'If `true`, returns only schedules that need attention: the newest run failed or was missed, or the owner, branch or tag is gone.',
  ),
};

interface Filters {
  active?: boolean | undefined;
  due_before?: Date | undefined;
  last_run_status?: string[] | undefined;
  owner?: string | undefined;
  search?: string | undefined;
  membership?: boolean | undefined;
  attention?: boolean | undefined;
}

/** The newest run of schedule `s`, by one index look-up. */
const newestRun = onSchedules
  .selectFrom('pipeline_schedule_runs as x')
  .select('x.state')
  .whereRef('x.pipeline_schedule_id', '=', 's.id')
  .orderBy('x.id', 'desc')
  .limit(constant(1));

/** Few runs are pending at any time, and they have an index of their own. */
const isWaiting = onSchedules(
  's.id',
  'in',
  onSchedules
    .selectFrom('pipeline_schedule_runs as x')
    .select('x.pipeline_schedule_id')
    .where('x.state', '=', constant('pending')),
);

/** States of the newest run that the schedule row stores with an index; all others are looked up in the runs. */
const IN_TROUBLE = new Set(['failed', 'missed', 'skipped', 'config_error']);

function lastRunCondition(states: readonly string[]): Expression<SqlBool> {
  const trouble = states.filter((state) => IN_TROUBLE.has(state));
  const others = states.filter((state) => !IN_TROUBLE.has(state));
  const eb = onSchedules;
  const looked = eb.and([eb('s.trouble', 'is', null), eb(newestRun, '=', anyOf(others, 'text'))]);
  return eb.or([
    ...(trouble.length > 0
      ? [eb.and([eb('s.trouble', 'is not', null), eb('s.trouble', '=', anyOf(trouble, 'text'))])]
      : []),
    ...(others.length > 0 ? [others.includes('fired') ? looked : eb.and([isWaiting, looked])] : []),
  ]);
}

/** Schedules of the owner with a name. */
const isOwnedBy = (username: string): Expression<SqlBool> =>
  onSchedules(
    's.owner_id',
    '=',
    onSchedules
      .selectFrom('users as u')
      .select('u.id')
      .where((eb) => sameText(eb.ref('u.username'), username)),
  );

function getConditions(ctx: Context, input: Filters): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [];
  if (input.active !== undefined) conditions.push(onSchedules('s.active', '=', constant(input.active)));
  if (input.due_before) conditions.push(onSchedules('s.next_run_at', '<', input.due_before));
  if (input.last_run_status?.length) conditions.push(lastRunCondition(input.last_run_status));
  if (input.owner) conditions.push(isOwnedBy(input.owner));
  if (input.search) conditions.push(onSchedules('s.description', 'ilike', `%${likeLiteral(input.search)}%`));
  if (input.membership) conditions.push(membershipCondition(ctx));
  if (input.attention !== undefined)
    conditions.push(input.attention ? needsAttention : onSchedules.not(needsAttention));
  return conditions;
}

const MINUTE_MS = 60_000;

/** A schedule in the list, with its upcoming runs if requested. */
type ListedSchedule = VisibleSchedule & { coming?: Date[] };

/** When it runs up to an instant, beginning with the next run that is known. */
function comingRuns(
  { active, next_run_at: next, cron, cron_timezone: zone }: VisibleSchedule,
  to: Date,
  perDay: number,
) {
  const found: Date[] = [];
  let at = active ? next : null;
  while (at && at <= to) {
    found.push(at);
    at = nextRunWithDailyLimit(cron, zone, at, at, perDay);
  }
  return found;
}

/** List the schedules of all projects that the caller may see, those that run next first. */
export const listAllPipelineSchedules = operation({
  name: 'listAllPipelineSchedules',
  summary: 'List the pipeline schedules of all projects',
  resource: instance,
  kind: 'read',
  statements: 7,
  params: {
    ...filterParams,
    order_by: withDefault(oneOf(['next_run_at', 'id']), 'next_run_at').describe(
      'Order by next run, with schedules without a next run last, or by ID.',
    ),
    sort: withDefault(oneOf(['asc', 'desc']), 'asc').describe('Direction of the order.'),
    coming_minutes: optional(wholeNumber(1, 60)).describe(
      'Number of minutes from now, at most an hour, for which `coming_runs` lists every run.',
    ),
  },
  async run(ctx, _instance, input) {
    const where = [...(await scopeConditions(ctx, input)), ...getConditions(ctx, input)];
    const found = visibleSchedules<ListedSchedule>(ctx, where, scheduleOrder(input.order_by, input.sort));
    if (input.coming_minutes === undefined) return found;
    const to = new Date(ctx.clock.now().getTime() + input.coming_minutes * MINUTE_MS);
    const { runsPerDay } = scheduleLimits(ctx);
    return {
      ...found,
      read: (schedule: ListedSchedule) => ({ ...schedule, coming: comingRuns(schedule, to, runsPerDay) }),
    };
  },
});

const findLastRuns = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom(unnested(ids, 'bigint').as('requested'))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('pipeline_schedule_runs as r')
          .select([...columns(PipelineScheduleRun, 'r', RUN_COLUMNS), 'r.pipeline_schedule_id'])
          .whereRef('r.pipeline_schedule_id', '=', 'requested.value')
          .orderBy('r.id', 'desc')
          .limit(constant(1))
          .as('x'),
      (join) => join.onTrue(),
    )
    .select([
      ...columns(PipelineScheduleRun, 'x', RUN_COLUMNS),
      'x.pipeline_schedule_id',
      constant<boolean>(true).as('recorded'),
    ]),
);

/** The newest run of each of many schedules, each by one index look-up. */
const lastRuns = load(
  ({ id }: Readonly<VisibleSchedule>) => id,
  async (ctx, schedules) => {
    const ids = schedules.map(({ id }) => id);
    const rows = await findLastRuns(ctx, { ids });
    return new Map(rows.map((row) => [row.pipeline_schedule_id, row]));
  },
);

export const projectOfSchedule = serializer<VisibleSchedule['project']>('PipelineScheduleProject', {
  id: out.integer((project) => project.id),
  name: out.text((project) => project.name),
  name_with_namespace: out.text((project) => project.full_name),
  path: out.text((project) => project.path),
  path_with_namespace: out.text((project) => project.full_path),
  web_url: out.text((project, ctx) => `${ctx.config.externalUrl}/${project.full_path}`),
});

/** A schedule as listed, with its project and its newest run. */
export const scheduleOfInstance = serializer<ListedSchedule>(
  'PipelineScheduleOfInstance',
  {
    ...listedFields,
    project: out.record(projectOfSchedule, (schedule) => schedule.project),
    last_run: out.nullableRecord(scheduleRunSerializer, (schedule, ctx) => lastRuns.of(schedule, ctx) ?? null, {
      description: 'Newest run and its outcome; null before the first run.',
    }),
    attention: out.nullableText((schedule, ctx) => attentions.of(schedule, ctx) ?? null, {
      enum: [...ATTENTIONS, null],
      description:
        'Reason why the schedule needs attention: what will make the next run fail, or the outcome of the newest run.',
    }),
    coming_runs: out.any(
      (schedule) => schedule.coming?.map((at) => at.toISOString()),
      { type: 'array', items: { type: 'string', format: 'date-time' } },
      { optional: true, description: 'Every run within `coming_minutes`, if requested.' },
    ),
  },
  { loads: [lastRuns, attentions] },
);
