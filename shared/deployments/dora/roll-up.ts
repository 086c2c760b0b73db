import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/** Where rows are computed from: `from` lists, each with conditions, for one set of environments and days. */
interface Sources {
  /** Environments `e` that have rows among these. */
  readonly environments: Fragment;
  /** Deployments `d`. */
  readonly deployments: Fragment;
  /** Incidents `i` by the day on which they were opened, and by that on which they were closed. */
  readonly opened: Fragment;
  readonly closed: Fragment;
  /** That row `m`, which is there already, is among these. */
  readonly stored: Fragment;
}

const utcDay = (instant: Fragment): Fragment => sql`(${instant} at time zone 'UTC')::date`;

/** The instant at which day `k.date`, or so many days later, begins. */
const startOf = (later: number): Fragment => sql`((k.date + ${later}::int)::timestamp at time zone 'UTC')`;

const within = (instant: Fragment): Fragment => sql`${instant} >= ${startOf(0)} and ${instant} < ${startOf(1)}`;

const incident = sql`i.issue_type = 'incident'`;
const restored = sql`i.issue_type = 'incident' and i.state = 'closed' and i.closed_at is not null`;

/**
 * Rows as they should be (dora.md section 3), of days that have a successful deployment, or at the project's first
 * environment of production an incident that was opened or closed. Other environments of production have no incidents,
 * so that each counts once; those of other tiers have null.
 */
const computed = ({ environments, deployments, opened, closed }: Sources): Fragment => sql`
  with envs as materialized (
    select e.id, e.project_id, e.tier = 'production' as production,
           e.tier = 'production' and not exists (
             select 1 from environments f
              where f.project_id = e.project_id and f.tier = 'production' and f.id < e.id) as first
      from ${environments}),
  deployed as (
    select d.environment_id, ${utcDay(sql`d.finished_at`)} as date, count(*)::int as deployments
      from ${deployments} and d.status = 'success' and d.finished_at is not null group by 1, 2),
  lead as (
    select d.environment_id, ${utcDay(sql`d.finished_at`)} as date,
           percentile_cont(0.5) within group (
             order by greatest(extract(epoch from d.finished_at - r.merged_at)::float8, 0)) as median
      from deployment_merge_requests l join merge_requests r on r.id = l.merge_request_id, ${deployments}
       and d.id = l.deployment_id and d.status = 'success' and d.finished_at is not null and r.merged_at is not null
     group by 1, 2),
  opened as (
    select i.project_id, ${utcDay(sql`i.created_at`)} as date, count(*)::int as incidents
      from ${opened} and ${incident} group by 1, 2),
  restored as (
    select i.project_id, ${utcDay(sql`i.closed_at`)} as date,
           percentile_cont(0.5) within group (
             order by extract(epoch from i.closed_at - i.created_at)::float8) as median
      from ${closed} and ${restored} group by 1, 2),
  days as (
    select environment_id, date from deployed
    union select e.id, o.date from opened o join envs e on e.project_id = o.project_id and e.first
    union select e.id, c.date from restored c join envs e on e.project_id = c.project_id and e.first),
  wanted as (
    select e.id as environment_id, days.date, e.project_id, coalesce(deployed.deployments, 0) as deployments,
           lead.median as lead, case when e.first then restored.median end as restore,
           case when e.first then coalesce(opened.incidents, 0) when e.production then 0 end as incidents
      from days
      join envs e on e.id = days.environment_id
      left join deployed on deployed.environment_id = days.environment_id and deployed.date = days.date
      left join lead on lead.environment_id = days.environment_id and lead.date = days.date
      left join opened on opened.project_id = e.project_id and opened.date = days.date
      left join restored on restored.project_id = e.project_id and restored.date = days.date)`;

/** Writes the rows that differ and removes those that should not be. One statement. */
const write = (sources: Sources): Fragment => sql`
  ${computed(sources)},
  gone as (
    delete from dora_daily_metrics m
     where ${sources.stored}
       and not exists (select 1 from wanted w where w.environment_id = m.environment_id and w.date = m.date)
    returning 1),
  written as (
    insert into dora_daily_metrics as m (environment_id, date, project_id, deployment_frequency,
      lead_time_for_changes_in_seconds, time_to_restore_service_in_seconds, incidents_count)
    select w.environment_id, w.date, w.project_id, w.deployments, w.lead, w.restore, w.incidents from wanted w
        on conflict (environment_id, date) do update
       set deployment_frequency = excluded.deployment_frequency,
           lead_time_for_changes_in_seconds = excluded.lead_time_for_changes_in_seconds,
           time_to_restore_service_in_seconds = excluded.time_to_restore_service_in_seconds,
           incidents_count = excluded.incidents_count
     where (m.deployment_frequency, m.lead_time_for_changes_in_seconds, m.time_to_restore_service_in_seconds,
            m.incidents_count)
           is distinct from (excluded.deployment_frequency, excluded.lead_time_for_changes_in_seconds,
            excluded.time_to_restore_service_in_seconds, excluded.incidents_count)
    returning 1)
  select (select count(*) from gone)::int + (select count(*) from written)::int as "changed"`;

/**
 * Rows are computed by one transaction at a time: of two, one could else write what it had read before the other.
 * Environments that they belong to stay until it ends.
 */
async function holdAlone(ctx: Context, environments: Fragment): Promise<void> {
  await ctx.query(sql`select pg_advisory_xact_lock(hashtextextended('dora_daily_metrics', 0))`);
  await ctx.query(sql`select e.id from ${environments} order by e.id for key share of e`);
}

const changedBy = async (ctx: Context, sources: Sources): Promise<number> =>
  (await ctx.queryOne<{ changed: number }>(write(sources)))?.changed ?? 0;

/**
 * Computes days of environments anew, with those days of the projects' first environment of production, in the open
 * transaction.
 * @param days of environments, in pairs
 * @returns how many rows were written or removed
 */
export async function rollUpDays(
  ctx: Context,
  environmentIds: readonly number[],
  dates: readonly string[],
): Promise<number> {
  const given = sql`unnest(${environmentIds}::bigint[], ${dates}::date[]) as g (environment_id, date)`;
  // An incident belongs to whichever environment is the first one now.
  const keys = sql`(
    select g.environment_id, g.date, o.project_id from ${given} join environments o on o.id = g.environment_id
    union
    select first.id, g.date, o.project_id from ${given} join environments o on o.id = g.environment_id
      cross join lateral (
        select f.id from environments f where f.project_id = o.project_id and f.tier = 'production'
         order by f.id limit 1) first) k`;
  const environments = sql`environments e where e.id in (select k.environment_id from ${keys})`;
  const projectDays = sql`(select distinct k.project_id, k.date from ${keys}) k`;
  await holdAlone(ctx, environments);
  return changedBy(ctx, {
    environments,
    deployments: sql`${keys} join deployments d on d.environment_id = k.environment_id
      where ${within(sql`d.finished_at`)}`,
    opened: sql`${projectDays} join issues i on i.project_id = k.project_id where ${within(sql`i.created_at`)}`,
    closed: sql`${projectDays} join issues i on i.project_id = k.project_id where ${within(sql`i.closed_at`)}`,
    stored: sql`(m.environment_id, m.date) in (select k.environment_id, k.date from ${keys})`,
  });
}

/**
 * Computes all days of some projects anew, in the open transaction.
 * @returns how many rows were written or removed
 */
export async function rollUpProjects(ctx: Context, projectIds: readonly number[]): Promise<number> {
  const ids = sql`any(${projectIds}::bigint[])`;
  const environments = sql`environments e where e.project_id = ${ids}`;
  await holdAlone(ctx, environments);
  return changedBy(ctx, {
    environments,
    deployments: sql`deployments d where d.project_id = ${ids}`,
    opened: sql`issues i where i.project_id = ${ids}`,
    closed: sql`issues i where i.project_id = ${ids}`,
    stored: sql`m.project_id = ${ids}`,
  });
}
