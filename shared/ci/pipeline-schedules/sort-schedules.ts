import { anyOf, constant } from '../../core/database/expressions.js';
import type { ScheduleRecord } from './pipeline-schedule.entity.js';
import { integer, list, optional, oneOf, withDefault } from '../../core/operations/fields.js';
import { byId } from '../../core/database/list.js';
import type { OrderStep } from '../../core/database/list.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { onSchedules, findSchedules } from './pipeline-schedule.finder.js';

/** Columns that schedules can be sorted by (graphql.md section 5.6). */
export const SCHEDULE_COLUMNS = [
  'id',
  'created_at',
  'updated_at',
  'next_run_at',
  'cron',
  'cron_timezone',
  'description',
  'ref',
] as const;
type Column = (typeof SCHEDULE_COLUMNS)[number];
type Direction = 'asc' | 'desc';

const SORTS = SCHEDULE_COLUMNS.flatMap((column) => [`${column}_asc`, `${column}_desc`] as const);

/** Later than any real time: a schedule that will never run again sorts last. */
const NEVER = '9999-12-31T00:00:00.000Z';

function getOrder(sort: `${Column}_${Direction}`): OrderStep<ScheduleRecord>[] {
  const [, column, direction] = /^(\w+)_(asc|desc)$/.exec(sort) as unknown as [string, Column, Direction];
  const last = byId<ScheduleRecord>('s', direction);
  if (column === 'id') return [last];
  if (column === 'next_run_at') {
    const never = onSchedules.cast<Date>(constant(NEVER), 'timestamptz');
    const expression = onSchedules.fn.coalesce('s.next_run_at', never);
    return [{ key: column, expression, direction, type: 'instant', value: (row) => row.next_run_at ?? NEVER }, last];
  }
  const type = column === 'created_at' || column === 'updated_at' ? 'instant' : 'text';
  return [
    { key: column, expression: onSchedules.ref(`s.${column}`), direction, type, value: (row) => row[column] },
    last,
  ];
}

/**
 * List a project's schedules, chosen and sorted in more ways than REST offers (graphql.md section 5.6).
 */
export const sortPipelineSchedules = operation({
  name: 'sortPipelineSchedules',
  summary: "List a project's pipeline schedules, sorted by a column",
  resource: project,
  can: can(projectPolicy, 'read_pipeline_schedule'),
  authentication: 'open',
  kind: 'read',
  statements: 3,
  params: {
    scope: optional(oneOf(['active', 'inactive'])).describe('Filter by scope: active or inactive schedules.'),
    ids: optional(list(integer())).describe('Filter by IDs of the pipeline schedules.'),
    sort: withDefault(oneOf(SORTS), 'id_desc').describe('Column and direction of the order.'),
  },
  run(_ctx, found, { scope, ids, sort }) {
    const where = [
      ...(scope === undefined ? [] : [onSchedules('s.active', '=', constant(scope === 'active'))]),
      ...(ids === undefined ? [] : [onSchedules('s.id', '=', anyOf(ids, 'bigint'))]),
    ];
    return Promise.resolve({ ...findSchedules(found, where), order: getOrder(sort) });
  },
});
