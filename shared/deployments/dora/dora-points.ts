import type { ContainerRef } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { and, empty, join, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { DoraInterval, DoraMetricName, DoraWish } from './dora-wish.js';

/** A point: its day, or the first day of its month, null for the whole range; and the wanted metrics' values. */
export type DoraPoint = { readonly date: string | null } & Readonly<Partial<Record<DoraMetricName, number | null>>>;

const median = (column: string): Fragment => sql`percentile_cont(0.5) within group (order by ${raw(`m.${column}`)})`;

/** Values over the rows `m` of a point (dora.md section 4). */
const VALUES: Readonly<Record<DoraMetricName, Fragment>> = {
  deployment_frequency: sql`sum(m.deployment_frequency)::float8`,
  lead_time_for_changes: median('lead_time_for_changes_in_seconds'),
  time_to_restore_service: median('time_to_restore_service_in_seconds'),
  change_failure_rate: sql`(sum(m.incidents_count)::float8 / greatest(sum(m.deployment_frequency), 1)::float8)`,
};

const DATES: Readonly<Record<DoraInterval, Fragment>> = {
  daily: sql`m.date`,
  monthly: sql`date_trunc('month', m.date::timestamp)::date`,
  all: sql`null::date`,
};

/** The first and the last day that there are for the database. */
const FIRST_DAY = '0001-01-01';

/** Days of a range, as conditions on row `m`. */
export const rowsBetween = (start: string, end: string): Fragment =>
  sql`m.date between ${start < FIRST_DAY ? FIRST_DAY : start}::date and ${end < FIRST_DAY ? FIRST_DAY : end}::date`;

/** The ids of a project, or of all projects of a group and its subgroups but those that are being removed. */
export const projectsOf = ({ kind, id }: ContainerRef): Fragment =>
  kind === 'project'
    ? sql`array[${id}]::bigint[]`
    : sql`array(select p.id from projects p join namespaces n on n.id = p.namespace_id
                 where n.traversal_ids @> array[${id}]::bigint[] and p.removal_started_at is null)`;

/** Rows `m` with their environments `e`, of some projects and tiers. */
export const rowsOf = (container: ContainerRef, tiers: readonly string[]): { from: Fragment; where: Fragment } => ({
  from: sql`environments e join dora_daily_metrics m on m.environment_id = e.id`,
  where: and([sql`e.project_id = any(${projectsOf(container)})`, sql`e.tier = any(${[...tiers]}::text[])`]),
});

/**
 * The points of a project or group: ascending by date, those without a row left out; one, with nulls where there is no
 * row, for the whole range (dora.md section 4). One statement.
 */
export function doraPoints(ctx: Context, container: ContainerRef, wish: DoraWish): Promise<DoraPoint[]> {
  const { from, where } = rowsOf(container, wish.tiers);
  const values = wish.metrics.map((metric) => sql`, ${VALUES[metric]} as ${raw(`"${metric}"`)}`);
  const date = DATES[wish.interval];
  const grouping = wish.interval === 'all' ? empty : sql`group by ${date} order by ${date}`;
  return ctx.query<DoraPoint>(sql`
    select (${wish.interval === 'all' ? sql`null` : date})::text as "date"${values.length > 0 ? join(values, ' ') : empty}
      from ${from} where ${where} and ${rowsBetween(wish.start, wish.end)} ${grouping}`);
}
