import type { UserSummary } from '../users/user.record.js';
import type { ProjectRecord } from '../projects/project.record.js';
import type { Context } from '../../core/context.js';
import { load } from '../../core/loads.js';
import { raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { today } from '../access/access.js';
import { GLOBAL } from '../notification-settings/notification-levels.js';
import { User } from '../users/user.entity.js';
import { USER_SUMMARY } from '../users/user.finder.js';
import { MAIN_BRANCH } from '../project-settings/new-settings.js';
import { ProjectSettings } from '../project-settings/project-settings.entity.js';
import { ProjectStatistics } from '../projects/project-statistics.entity.js';
import { visibleProjectsCondition } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';

/** What the basic record has from other tables. */
export interface ProjectFacts {
  topics: string[];
  /** The default branch; where there is no branch yet, the one that a first commit is best made to. */
  main_branch: string;
  /** Whether anybody has forked it, visible to the caller or not. */
  has_forks: boolean;
  /** Its forks that the caller may see. */
  forks_count: number;
  /** Picture of the person whose namespace it is in. */
  owner_avatar: string | null;
  readme_path: string | null;
  license_path: string | null;
  license_key: string | null;
}

/** A role, and how much whoever has it wants to be told there. */
export type ShownRole = readonly [access_level: number, notification_level: number];

/** What the full record has besides. */
export interface ProjectDetails extends ProjectFacts {
  settings: ProjectSettings;
  /** The person of a personal namespace. */
  owner: (UserSummary & { created_at: Date }) | null;
  /** The caller's direct role in the project; null for none. */
  project_access: ShownRole | null;
  /** The caller's role in the group, see {@link groupAccess}; null for none. */
  group_access: ShownRole | null;
}

const FACTS: Fragment = sql`p.id as "id",
  array(select t.name from project_topics pt join topics t on t.id = pt.topic_id
         where pt.project_id = p.id order by lower(t.name)) as "topics",
  coalesce(p.default_branch, (select gs.default_branch from group_settings gs where gs.namespace_id = p.namespace_id),
           ${MAIN_BRANCH}) as "main_branch",
  exists (select from projects f where f.forked_from_id = p.id and f.removal_started_at is null) as "has_forks",
  (select h.avatar from namespaces home join users h on h.id = home.owner_id where home.id = p.namespace_id)
    as "owner_avatar",
  st.readme_path as "readme_path", st.license_path as "license_path", st.license_key as "license_key"`;

/** A role that still holds. */
const held = (ctx: Context): Fragment =>
  sql`m.user_id = ${ctx.caller.id} and (m.expires_on is null or m.expires_on > ${today(ctx)}::date)`;

/**
 * The caller's role in the group that a project is in: one project tells the highest one in the group or above it, a
 * list only the one in the group itself (projects.md section 4).
 */
function groupAccess(ctx: Context, single: boolean): Fragment {
  const which = single ? raw('m.namespace_id = any(n.traversal_ids)') : raw('m.namespace_id = n.id');
  return sql`(
    select array[m.access_level, coalesce(ns.level, ${raw(String(GLOBAL))})] from group_members m
      left join group_notification_settings ns on ns.namespace_id = m.namespace_id and ns.user_id = m.user_id
     where ${which} and ${held(ctx)} order by m.access_level desc, array_position(n.traversal_ids, m.namespace_id) desc limit 1)`;
}

function detailColumns(ctx: Context, single: boolean): Fragment {
  return sql`${FACTS}, ${textColumns(ProjectSettings, 's', 'settings.')},
    ${textColumns(User, 'o', 'owner.', [...USER_SUMMARY, 'created_at'])},
    (select array[m.access_level, coalesce(ns.level, ${raw(String(GLOBAL))})] from project_members m
       left join project_notification_settings ns on ns.project_id = m.project_id and ns.user_id = m.user_id
      where m.project_id = p.id and ${held(ctx)}) as "project_access",
    ${groupAccess(ctx, single)} as "group_access"`;
}

/** Rows of projects with the number of forks that the caller may see; only those that have any cost a statement. */
async function withForksCount<Row extends { id: number; has_forks: boolean }>(
  ctx: Context,
  rows: readonly Row[],
): Promise<(Row & { forks_count: number })[]> {
  const forked = rows.filter((row) => row.has_forks);
  const counts =
    forked.length === 0
      ? []
      : await ctx.query<{ id: number; count: number }>(sql`
          select p.forked_from_id as "id", count(*) as "count" from projects p
           where p.forked_from_id = any(${idsOf(forked)}) and ${visibleProjectsCondition(ctx)}
           group by p.forked_from_id`);
  const countOf = new Map(counts.map(({ id, count }) => [id, count]));
  return rows.map((row) => Object.assign(row, { forks_count: countOf.get(row.id) ?? 0 }));
}

/**
 * The details of projects by their ids, which may be SQL: they can be asked for together with the project itself.
 * One statement, and another where any of them has forks. Says nothing about rights.
 */
export async function readDetails(
  ctx: Context,
  ids: Fragment,
  single: boolean,
): Promise<(ProjectDetails & { id: number })[]> {
  const rows = await ctx.query<Omit<ProjectDetails, 'forks_count'> & { id: number }>(sql`
    select ${detailColumns(ctx, single)}
      from projects p join namespaces n on n.id = p.namespace_id
      join project_settings s on s.project_id = p.id
      join project_statistics st on st.project_id = p.id
      left join users o on o.id = n.owner_id
     where p.id = any(${ids})`);
  return withForksCount(ctx, rows);
}

const idsOf = (projects: readonly { id: number }[]): Fragment => sql`${projects.map(({ id }) => id)}::bigint[]`;
const byId = <T extends { id: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id, row]));
const idOf = ({ id }: Readonly<ProjectRecord>) => id;

/** What the full record needs, unless it came with the project. */
export const projectDetails = load(idOf, async (ctx, projects) => byId(await readDetails(ctx, idsOf(projects), false)));

/** What the basic record needs. */
export const projectFacts = load(idOf, async (ctx, projects) => {
  const rows = await ctx.query<Omit<ProjectFacts, 'forks_count'> & { id: number }>(sql`
    select ${FACTS} from projects p join project_statistics st on st.project_id = p.id
     where p.id = any(${idsOf(projects)})`);
  return byId(await withForksCount(ctx, rows));
});

/** The statistics of projects by their ids. Says nothing about rights. */
export async function statisticsById(ctx: Context, ids: readonly number[]): Promise<Map<number, ProjectStatistics>> {
  if (ids.length === 0) return new Map();
  const found = await ctx.query<ProjectStatistics>(sql`
    select ${textColumns(ProjectStatistics, 'st')} from project_statistics st where st.project_id = any(${ids}::bigint[])`);
  return new Map(found.map((statistics) => [statistics.project_id, statistics]));
}

/** The statistics of those projects whose statistics the caller may read: one statement, or none. */
export const projectStatistics = load(idOf, (ctx, projects) =>
  statisticsById(ctx, projects.filter((project) => projectPolicy.read_statistics(ctx.caller, project)).map(idOf)),
);

/** The details of a loaded record. */
export function detailsOf(project: ProjectRecord, ctx: Context): ProjectDetails {
  const details = projectDetails.of(project, ctx);
  if (!details) throw new Error(`Project ${project.id} is shown before its details are loaded.`);
  return details;
}

/** The facts of a loaded record. */
export const factsOf = (project: ProjectRecord, ctx: Context): ProjectFacts =>
  projectFacts.of(project, ctx) ?? detailsOf(project, ctx);

export const settingsOf = (project: ProjectRecord, ctx: Context): ProjectSettings => detailsOf(project, ctx).settings;
