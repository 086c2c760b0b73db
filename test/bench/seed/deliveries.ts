import { sha } from './changes.js';
import { putBack, setAside } from './set-aside.js';
import { BASE, EPOCH, groupId } from './sizes.js';
import type { Part, Sizes } from './sizes.js';

/*
 * A group whose projects deploy every day, for two years: half of the deployments go to production, with the merge
 * requests before them, and with incidents.
 */

/** The group with the deployed projects. */
export const busyGroupId = (sizes: Sizes): number => groupId(sizes, 2);
/** The first of them. */
export const BUSY_PROJECT = BASE + 3;

const DAYS = 730;
const TIERS = ['production', 'staging', 'testing', 'other'];

const gathered = (sizes: Sizes): string[] => [
  `create temporary table seed_busy on commit drop as
   select (row_number() over (order by p.id) - 1)::int as at, p.id as project_id
     from generate_series(0, ${sizes.busyProjects - 1}) i join projects p on p.id = ${BUSY_PROJECT} + i * 40`,
  `create unique index seed_busy_at on seed_busy (at) include (project_id)`,
  `update projects p set namespace_id = n.id, visibility = n.visibility from namespaces n, seed_busy s
    where n.id = ${busyGroupId(sizes)} and p.id = s.project_id`,
  `update routes r set path = g.path || '/' || p.path, name = g.name || ' / ' || p.name
     from routes g, projects p, seed_busy s
    where g.namespace_id = ${busyGroupId(sizes)} and r.project_id = p.id and p.id = s.project_id`,
  `insert into environments (id, project_id, name, slug, tier, created_at, updated_at)
   select ${BASE} + s.at * ${TIERS.length} + t.place, s.project_id, t.tier, t.tier, t.tier, ${EPOCH}, ${EPOCH}
     from seed_busy s cross join unnest(array['${TIERS.join("', '")}']) with ordinality t (tier, place)`,
];

/** The instant of the `k`th of so many things of one project, drawn by `i`. */
const instant = (k: string, each: number, salt: number): string =>
  `${EPOCH} + ${k} * interval '${DAYS} days' / ${Math.max(1, Math.floor(each))} + pg_temp.pick(i, ${salt}, 3600) * interval '1 second'`;

/** Rows of the projects in turn: `i`, the project, and which of its rows it is, from 0. */
const inTurn = (count: number, { busyProjects }: Sizes): string =>
  `generate_series(0, ${count - 1}) i join seed_busy s on s.at = i % ${busyProjects}
    cross join lateral (select i / ${busyProjects} as k) each_of`;

const deployments = (sizes: Sizes): string[] => [
  `insert into deployments (id, project_id, iid, environment_id, ref, tag, sha, status, user_id, created_at, updated_at, finished_at)
   select ${BASE} + 1 + i, s.project_id, k + 1,
          ${BASE} + s.at * ${TIERS.length} + case when k % 2 = 0 then 1 else 2 + k / 2 % ${TIERS.length - 1} end, 'main', false,
          ${sha('deployed', 'i')}, coalesce((array['failed', 'canceled'])[1 + pg_temp.pick(i, 131, 14)], 'success'), ${BASE} + 1 + pg_temp.pick(i, 132, ${sizes.users}),
          made.begun, made.begun + interval '4 minutes', made.begun + interval '4 minutes'
     from ${inTurn(sizes.deployments, sizes)}
    cross join lateral (select ${instant('k', sizes.deployments / sizes.busyProjects, 133)} as begun) made`,
  `insert into project_counters (project_id, kind, last_value)
   select d.project_id, 'deployment', max(d.iid) from deployments d group by 1`,
];

/** Ids of merge requests and issues are above those of the other projects. */
const merged = (sizes: Sizes): string[] => [
  `create temporary table seed_merged on commit drop as
   select ${BASE} + ${sizes.mergeRequests} + 1 + i as id, i, s.at, s.project_id, (k + 1)::int as iid,
          ${instant('k', sizes.mergedRequests / sizes.busyProjects, 134)} as merged_at
     from ${inTurn(sizes.mergedRequests, sizes)}`,
  `insert into merge_requests (id, project_id, iid, source_project_id, source_branch, target_branch, title, state, author_id,
                               merge_user_id, head_sha, merge_commit_sha, merged_commit_sha, merge_status, prepared_at,
                               merged_at, created_at, updated_at)
   select q.id, q.project_id, q.iid, q.project_id, 'story-' || q.iid, 'main', initcap(pg_temp.verb(i, 135)) || ' the ' || pg_temp.noun(i, 136),
          'merged', ${BASE} + 1 + pg_temp.pick(i, 137, ${sizes.users}), ${BASE} + 1 + pg_temp.pick(i, 138, ${sizes.users}),
          ${sha('busy head', 'i')}, ${sha('busy merge', 'i')}, ${sha('busy merge', 'i')}, 'can_be_merged',
          q.merged_at - interval '2 days', q.merged_at, q.merged_at - interval '2 days', q.merged_at
     from seed_merged q`,
  `insert into project_counters (project_id, kind, last_value)
   select q.project_id, 'merge_request', max(q.iid) from seed_merged q group by 1`,
];

/** Each came with the next success in production. */
const links: string[] = [
  `create temporary table seed_succeeded on commit drop as
   select d.id, d.project_id, d.environment_id, d.finished_at,
          coalesce(lag(d.finished_at) over (partition by d.environment_id order by d.finished_at, d.id), '-infinity') as since
     from deployments d join seed_busy s on s.project_id = d.project_id
    where d.status = 'success' and d.environment_id = ${BASE} + s.at * ${TIERS.length} + 1`,
  `insert into deployment_merge_requests (deployment_id, project_id, environment_id, merge_request_id, linked_at)
   select d.id, d.project_id, d.environment_id, q.id, d.finished_at
     from seed_succeeded d join seed_merged q on q.project_id = d.project_id and q.merged_at > d.since and q.merged_at <= d.finished_at`,
];

const incidents = (sizes: Sizes): string[] => [
  `create temporary table seed_incidents on commit drop as
   select ${BASE} + ${sizes.issues} + 1 + i as id, i, s.project_id, (k + 1)::int as iid, pg_temp.pick(i, 141, 10) > 0 as closed,
          ${instant('k', sizes.incidents / sizes.busyProjects, 142)} as made
     from ${inTurn(sizes.incidents, sizes)}`,
  `insert into issues (id, project_id, iid, title, state, issue_type, author_id, closed_at, closed_by_id, created_at, updated_at)
   select q.id, q.project_id, coalesce(c.last_value, 0) + q.iid, 'The ' || pg_temp.noun(i, 143) || ' is down',
          case when q.closed then 'closed' else 'opened' end, 'incident', ${BASE} + 1 + pg_temp.pick(i, 144, ${sizes.users}),
          case when q.closed then q.made + pg_temp.pick(i, 145, 36) * interval '20 minutes' end,
          case when q.closed then ${BASE} + 1 + pg_temp.pick(i, 146, ${sizes.users}) end, q.made, q.made
     from seed_incidents q left join project_counters c on c.project_id = q.project_id and c.kind = 'issue'`,
  `insert into project_counters as c (project_id, kind, last_value)
   select q.project_id, 'issue', max(q.iid) from seed_incidents q group by 1
       on conflict (project_id, kind) do update set last_value = c.last_value + excluded.last_value`,
  `insert into project_issue_counts as c (project_id, opened, opened_confidential)
   select q.project_id, count(*), 0 from seed_incidents q where not q.closed group by 1
       on conflict (project_id, part) do update set opened = c.opened + excluded.opened`,
];

const FULL = ['deployments', 'deployment_merge_requests', 'merge_requests', 'issues'];

/** The data behind DORA metrics; the metrics themselves are computed by `npm run rebuild -- dora`. */
export const deliveries: Part = {
  name: 'deployments',
  statements: (sizes) => [
    ...gathered(sizes),
    ...setAside(FULL),
    ...deployments(sizes),
    ...merged(sizes),
    `analyze deployments`,
    ...links,
    ...incidents(sizes),
    ...putBack(FULL),
  ],
};
