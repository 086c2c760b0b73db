import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { anyIn, anyOf, arrayFrom, constant } from '../../core/database/expressions.js';
import { readRows } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { isAtOrBelow } from '../../tenancy/namespaces/below.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { onProjects } from '../../tenancy/projects/project.finder.js';
import { filteredProjects } from '../../tenancy/project-details/project.filters.js';
import type { ProjectList } from '../../tenancy/project-details/project.filters.js';
import type { DoraInterval, DoraMetricName, DoraQuery } from './dora-query.js';

/** A point: its day, or the first day of its month, null for the whole range; and the wanted metrics' values. */
export type DoraPoint = { readonly date: string | null } & Readonly<Partial<Record<DoraMetricName, number | null>>>;

type OfRows = Aliased<DeploymentsDatabase, { e: 'environments'; m: 'dora_daily_metrics' }>;

/** Of rows `m` and their environments `e`. */
const onRows = expressionBuilder<OfRows, 'e' | 'm'>();

const median = (column: 'lead_time_for_changes_in_seconds' | 'time_to_restore_service_in_seconds') =>
  onRows.fn.agg<number | null>('percentile_cont', [constant(0.5)]).withinGroupOrderBy(`m.${column}`);

const deployments = onRows.fn.sum<number | null>('m.deployment_frequency');
const float = (value: Expression<number | null>) => onRows.cast<number | null>(value, 'float8');

/** Values over the rows `m` of a point (dora.md section 4). */
const VALUES: Readonly<Record<DoraMetricName, AliasableExpression<number | null>>> = {
  deployment_frequency: float(deployments),
  lead_time_for_changes: median('lead_time_for_changes_in_seconds'),
  time_to_restore_service: median('time_to_restore_service_in_seconds'),
  change_failure_rate: onRows(
    float(onRows.fn.sum<number | null>('m.incidents_count')),
    '/',
    float(onRows.fn<number>('greatest', [deployments, constant(1)])),
  ),
};

const month = onRows.fn<Date>('date_trunc', [constant('month'), onRows.cast<Date>('m.date', 'timestamp')]);

const DATES: Readonly<Record<Exclude<DoraInterval, 'all'>, Expression<string>>> = {
  daily: onRows.ref('m.date'),
  monthly: onRows.cast<string>(month, 'date'),
};

/** The first day that there is for the database. */
const FIRST_DAY = '0001-01-01';

const getDate = (day: string) => onRows.cast<string>(onRows.val(day < FIRST_DAY ? FIRST_DAY : day), 'date');

/** Days of a range, as a condition on row `m`. */
export const rowsBetween = (start: string, end: string): Expression<SqlBool> =>
  onRows.between('m.date', getDate(start), getDate(end));

/** That a project is this one, or one of a group and its subgroups that is not being removed. */
export function isProjectOf({ kind, id }: ContainerRef, projectId: Expression<number>): Expression<SqlBool> {
  if (kind === 'project') return onRows(projectId, '=', id);
  const projects = onRows
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select('p.id')
    .where(isAtOrBelow('n', id))
    .where('p.removal_started_at', 'is', null);
  return onRows(projectId, '=', anyIn(arrayFrom(projects)));
}

/** That environment `e` is one of some projects and tiers. */
export const isAmong = (container: ContainerRef, tiers: readonly string[]): Expression<SqlBool> =>
  onRows.and([isProjectOf(container, onRows.ref('e.project_id')), onRows('e.tier', '=', anyOf(tiers, 'text'))]);

/** Rows `m` with their environments `e`, of some projects and tiers, in a range of days. */
export const selectDoraRows = (
  container: ContainerRef,
  tiers: readonly string[],
  { start, end }: { start: string; end: string },
) =>
  onRows
    .selectFrom('environments as e')
    .innerJoin('dora_daily_metrics as m', 'm.environment_id', 'e.id')
    .where(isAmong(container, tiers))
    .where(rowsBetween(start, end));

/**
 * The points of a project or group: ascending by date, those without a row left out; one, with nulls where there is no
 * row, for the whole range (dora.md section 4). One statement.
 */
export async function doraPoints(ctx: Context, container: ContainerRef, query: DoraQuery): Promise<DoraPoint[]> {
  const values = query.metrics.map((metric) => VALUES[metric].as(metric));
  const rows = selectDoraRows(container, query.tiers, query).select(values);
  if (query.interval === 'all') {
    const [all] = await readRows(ctx.em, rows);
    return [{ date: null, ...all }];
  }
  const date = DATES[query.interval];
  return readRows(ctx.em, rows.select(onRows.cast<string>(date, 'text').as('date')).groupBy(date).orderBy(date));
}

/** The projects of a group and its subgroups, or the project itself, with DORA data in a range of days, both included. */
export function projectsWithDora(
  ctx: Context,
  container: ContainerRef,
  range: { start: string; end: string },
): ProjectList {
  const rows = expressionBuilder<Aliased<DeploymentsDatabase, { p: 'projects' }>, 'p'>()
    .selectFrom('dora_daily_metrics as m')
    .select(onProjects.lit(1).as('one'))
    .whereRef('m.project_id', '=', 'p.id')
    .where(rowsBetween(range.start, range.end));
  const where = [isProjectOf(container, onProjects.ref('p.id')), onProjects.exists(rows)];
  return filteredProjects(ctx, { order_by: 'id', sort: 'asc' }, { where });
}
