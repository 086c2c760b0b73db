import type { ContainerRef } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { and, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { visibleMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { visibleIssues } from '../../planning/issues/visible-issues.js';
import { projectsOf } from './dora-points.js';

/** Which point is asked about. */
export interface Behind {
  readonly container: ContainerRef;
  readonly tiers: readonly string[];
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string;
}

/** What lies behind a point: `count` of all, of which the caller may not see `hidden`; the first of the others. */
export interface Evidence {
  count: number;
  hidden: number;
  items: readonly Record<string, unknown>[];
}

/** Of a point that is made of more, these are shown. */
const MOST_ITEMS = 1000;

/** In the year 0 nothing was deployed, and the database has none. */
const dayIs = (instant: Fragment, date: string): Fragment => {
  const day = date < '0001-01-01' ? '0001-01-01' : date;
  return sql`${instant} >= (${day}::date::timestamp at time zone 'UTC')
    and ${instant} < ((${day}::date + 1)::timestamp at time zone 'UTC')`;
};

/** @param item JSON of what is shown of it */
async function evidence(
  ctx: Context,
  from: Fragment,
  where: Fragment,
  seen: Fragment,
  order: Fragment,
  item: Fragment,
): Promise<Evidence> {
  const rows = await ctx.query<{ seen: boolean; count: number; hidden: number; item: Record<string, unknown> }>(sql`
    select s.seen as "seen", count(*) over ()::int as "count",
           count(*) filter (where not s.seen) over ()::int as "hidden",
           case when s.seen then s.item end as "item"
      from (select (${seen}) as seen, ${item} as item, ${order} as place from ${from} where ${where}) s
     order by s.seen desc, s.place limit ${MOST_ITEMS}`);
  const [first] = rows;
  return {
    count: first?.count ?? 0,
    hidden: first?.hidden ?? 0,
    items: rows.flatMap((row) => (row.seen ? [row.item] : [])),
  };
}

/** A text as JSON writes instants. */
const instant = (column: Fragment): Fragment =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const seconds = (from: Fragment, to: Fragment): Fragment => sql`extract(epoch from ${to} - ${from})::float8`;

const deployed = ({ container, tiers, date }: Behind): Fragment =>
  and([
    sql`e.project_id = any(${projectsOf(container)})`,
    sql`e.tier = any(${[...tiers]}::text[])`,
    sql`d.status = 'success'`,
    dayIs(sql`d.finished_at`, date),
  ]);

/** Whoever may read the metrics of a project is a Reporter there, and sees deployments where the project has any. */
const seesDeployments = sql`p.builds_access_level <> 'disabled' and p.environments_access_level <> 'disabled'`;

/** The successful deployments of a day. */
export const deploymentsBehind = (ctx: Context, behind: Behind): Promise<Evidence> =>
  evidence(
    ctx,
    sql`environments e join deployments d on d.environment_id = e.id join projects p on p.id = d.project_id`,
    deployed(behind),
    seesDeployments,
    sql`d.id`,
    sql`json_build_object('id', d.id, 'iid', d.iid, 'project_id', d.project_id, 'environment_id', d.environment_id,
      'ref', d.ref, 'sha', d.sha, 'finished_at', ${instant(sql`d.finished_at`)})`,
  );

/** The merge requests that came with the deployments of a day. */
export const mergeRequestsBehind = (ctx: Context, behind: Behind): Promise<Evidence> =>
  evidence(
    ctx,
    sql`environments e join deployments d on d.environment_id = e.id
      join deployment_merge_requests l on l.deployment_id = d.id
      join merge_requests r on r.id = l.merge_request_id
      join projects p on p.id = r.project_id join namespaces n on n.id = p.namespace_id`,
    and([deployed(behind), sql`r.merged_at is not null`]),
    sql`${visibleMergeRequests(ctx)} and ${seesDeployments}`,
    sql`l.merge_request_id`,
    sql`json_build_object('id', r.id, 'iid', r.iid, 'project_id', r.project_id, 'title', r.title,
      'merged_at', ${instant(sql`r.merged_at`)}, 'deployment_id', d.id, 'environment_id', d.environment_id,
      'finished_at', ${instant(sql`d.finished_at`)},
      'lead_time', greatest(${seconds(sql`r.merged_at`, sql`d.finished_at`)}, 0))`,
  );

/** The incidents that were opened on a day, or those that were closed on it; none where production is not asked for. */
export function incidentsBehind(
  ctx: Context,
  { container, tiers, date }: Behind,
  by: 'created_at' | 'closed_at',
): Promise<Evidence> {
  const when = by === 'created_at' ? sql`i.created_at` : sql`i.closed_at`;
  return evidence(
    ctx,
    sql`issues i join projects p on p.id = i.project_id join namespaces n on n.id = p.namespace_id`,
    and([
      sql`i.project_id = any(${projectsOf(container)})`,
      sql`i.issue_type = 'incident'`,
      ...(by === 'closed_at' ? [sql`i.state = 'closed'`] : []),
      dayIs(when, date),
      sql`'production' = any(${[...tiers]}::text[])`,
      sql`exists (select 1 from environments e where e.project_id = i.project_id and e.tier = 'production')`,
    ]),
    visibleIssues(ctx),
    sql`i.id`,
    sql`json_build_object('id', i.id, 'iid', i.iid, 'project_id', i.project_id, 'title', i.title, 'state', i.state,
      'created_at', ${instant(sql`i.created_at`)}, 'closed_at', ${instant(sql`i.closed_at`)},
      'time_to_restore', ${seconds(sql`i.created_at`, sql`i.closed_at`)})`,
  );
}
