import { expressionBuilder, sql } from 'kysely';
import type { Expression, Kysely, RawBuilder } from 'kysely';
import { User } from '../users/user.entity.js';
import type { UserSummary } from '../users/user.entity.js';
import type { ProjectRecord } from '../projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { columns, nested, nestedOrNull } from '../../core/database/columns.js';
import { anyIn, anyOf, arrayFrom, constant } from '../../core/database/expressions.js';
import { readAll } from '../../core/database/list.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { unexpired } from '../namespaces/access.js';
import { queryForCaller, describeCaller } from '../namespaces/for-caller.js';
import type { Who } from '../namespaces/for-caller.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { GLOBAL } from '../users/notification-levels.js';
import { USER_SUMMARY } from '../users/user.finder.js';
import { MAIN_BRANCH } from '../projects/new-settings.js';
import { ProjectSettings } from '../projects/project-settings.entity.js';
import { ProjectStatistics } from '../projects/project-statistics.entity.js';
import { queryInProject, visibleProjects, isVisibleProject } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';

/** Fields of the basic record from other tables. */
export interface BasicProjectDetails {
  topics: string[];
  /** The default branch; where there is no branch yet, the one that a first commit is best made to. */
  main_branch: string;
  /** Whether the project has any forks, visible to the caller or not. */
  has_forks: boolean;
  /** Its forks that the caller may see. */
  forks_count: number;
  /** Avatar of the user whose namespace it is in. */
  owner_avatar: string | null;
  readme_path: string | null;
  license_path: string | null;
  license_key: string | null;
}

/** A role, and its member's notification level there. */
export type RoleLevels = readonly [access_level: number, notification_level: number];

/** Additional fields of the full record. */
export interface ProjectDetails extends BasicProjectDetails {
  settings: ProjectSettings;
  /** The person of a personal namespace. */
  owner: (UserSummary & { created_at: Date }) | null;
  /** The caller's direct role in the project; null for none. */
  project_access: RoleLevels | null;
  /** The caller's role in the group, see {@link groupAccess}; null for none. */
  group_access: RoleLevels | null;
}

type OfDetails = Aliased<
  TenancyDatabase,
  {
    p: 'projects';
    n: 'namespaces';
    s: 'project_settings';
    st: 'project_statistics';
    o: 'users';
    m: 'group_members';
    pm: 'project_members';
    ns: 'group_notification_settings';
  }
>;

/** Of projects `p` with their statistics `st`. */
const onProjects = expressionBuilder<OfDetails, 'p' | 'st'>();

const topics = onProjects
  .selectFrom('project_topics as pt')
  .innerJoin('topics as t', 't.id', 'pt.topic_id')
  .select('t.name')
  .whereRef('pt.project_id', '=', 'p.id')
  .orderBy((eb) => eb.fn('lower', ['t.name']));

const mainBranchOfGroup = onProjects
  .selectFrom('group_settings as gs')
  .select('gs.default_branch')
  .whereRef('gs.namespace_id', '=', 'p.namespace_id')
  .$asScalar();

const forks = onProjects
  .selectFrom('projects as f')
  .select(onProjects.lit(1).as('one'))
  .whereRef('f.forked_from_id', '=', 'p.id')
  .where('f.removal_started_at', 'is', null);

const ownerAvatar = onProjects
  .selectFrom('namespaces as home')
  .innerJoin('users as h', 'h.id', 'home.owner_id')
  .select('h.avatar')
  .whereRef('home.id', '=', 'p.namespace_id')
  .$asScalar();

/** Columns for the fields of the basic record from other tables. */
const BASIC_DETAILS = [
  onProjects.ref('p.id').as('id'),
  arrayFrom(topics).$castTo<string[]>().as('topics'),
  onProjects.fn
    .coalesce('p.default_branch', mainBranchOfGroup, constant<string>(MAIN_BRANCH))
    .$castTo<string>()
    .as('main_branch'),
  onProjects.exists(forks).$castTo<boolean>().as('has_forks'),
  ownerAvatar.as('owner_avatar'),
  ...columns(ProjectStatistics, 'st', ['readme_path', 'license_path', 'license_key']),
] as const;

/** Both levels of a role. */
const roleLevels = (access: Expression<number>, inherited: Expression<number | null>): RawBuilder<RoleLevels> =>
  sql<RoleLevels>`array[${access}, coalesce(${inherited}, ${constant(GLOBAL)})]`;

/**
 * The caller's role in the project's group: a single-project record has the highest one in the group or its ancestors,
 * a list only the one in the group itself (projects.md section 4).
 */
const groupAccess = ({ userId, day }: Placeholders<Who>, single: boolean) =>
  expressionBuilder<OfDetails, 'n'>()
    .selectFrom('group_members as m')
    .leftJoin('group_notification_settings as ns', (join) =>
      join.onRef('ns.namespace_id', '=', 'm.namespace_id').onRef('ns.user_id', '=', 'm.user_id'),
    )
    .select((eb) => roleLevels(eb.ref('m.access_level'), eb.ref('ns.level')).as('role'))
    .where((eb) => eb('m.namespace_id', '=', single ? anyIn(eb.ref('n.traversal_ids')) : eb.ref('n.id')))
    .where('m.user_id', '=', userId)
    .where(unexpired('m', day))
    .orderBy('m.access_level', 'desc')
    .orderBy((eb) => eb.fn('array_position', ['n.traversal_ids', 'm.namespace_id']), 'desc')
    .limit(constant(1));

const projectAccess = ({ userId, day }: Placeholders<Who>) =>
  expressionBuilder<OfDetails, 'p'>()
    .selectFrom('project_members as m')
    .leftJoin('project_notification_settings as ns', (join) =>
      join.onRef('ns.project_id', '=', 'm.project_id').onRef('ns.user_id', '=', 'm.user_id'),
    )
    .select((eb) => roleLevels(eb.ref('m.access_level'), eb.ref('ns.level')).as('role'))
    .whereRef('m.project_id', '=', 'p.id')
    .where('m.user_id', '=', userId)
    .where(unexpired('m', day));

/** Details of projects `p`. */
const selectDetails = (db: Kysely<OfDetails>, who: Placeholders<Who>, single: boolean) =>
  db
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .innerJoin('project_settings as s', 's.project_id', 'p.id')
    .innerJoin('project_statistics as st', 'st.project_id', 'p.id')
    .leftJoin('users as o', 'o.id', 'n.owner_id')
    .select([
      ...BASIC_DETAILS,
      ...nested('settings', ProjectSettings, 's'),
      ...nestedOrNull('owner', User, 'o', { only: [...USER_SUMMARY, 'created_at'] }),
      projectAccess(who).as('project_access'),
      groupAccess(who, single).as('group_access'),
    ]);

const countForks = queryForCaller<TenancyDatabase, { ids: readonly number[] }, { id: number; count: number }>(
  (db, viewer, { ids }) =>
    db
      .selectFrom('projects as p')
      .select((eb) => [eb.ref('p.forked_from_id').$notNull().as('id'), eb.fn.countAll<number>().as('count')])
      .where('p.forked_from_id', '=', anyOf(ids, 'bigint'))
      .where(isVisibleProject(viewer))
      .groupBy('p.forked_from_id'),
);

/** Rows of projects with the number of forks that the caller may see; only those that have any cost a statement. */
async function withForksCount<Row extends { id: number; has_forks: boolean }>(
  ctx: Context,
  rows: readonly Row[],
): Promise<(Row & { forks_count: number })[]> {
  const forked = rows.filter((row) => row.has_forks);
  const counts = forked.length === 0 ? [] : await countForks(ctx, { ids: getIds(forked) });
  const countOf = new Map(counts.map(({ id, count }) => [id, count]));
  return rows.map((row) => Object.assign(row, { forks_count: countOf.get(row.id) ?? 0 }));
}

type Details = Omit<ProjectDetails, 'forks_count'> & { id: number };

const readDetailsOf = queryInProject<OfDetails, Who, Details>((db, projectId, who) =>
  selectDetails(db, who, true).where('p.id', '=', projectId),
);

/**
 * The details of the project with an id or full path, which can be loaded concurrently with the project itself. One
 * statement, and a second one if it has forks. Checks no permissions.
 */
export const detailsOfReference = async (ctx: Context, reference: string) =>
  withForksCount(ctx, await readDetailsOf(ctx, reference, describeCaller(ctx)));

const readDetails = prepareQuery<OfDetails, Who & { ids: readonly number[] }, Details>((db, values) =>
  selectDetails(db, values, false).where('p.id', '=', anyOf(values.ids, 'bigint')),
);

const findBasicDetails = prepareQuery<
  OfDetails,
  { ids: readonly number[] },
  Omit<BasicProjectDetails, 'forks_count'> & { id: number }
>((db, { ids }) =>
  db
    .selectFrom('projects as p')
    .innerJoin('project_statistics as st', 'st.project_id', 'p.id')
    .select(BASIC_DETAILS)
    .where('p.id', '=', anyOf(ids, 'bigint')),
);

const getIds = (projects: readonly { id: number }[]) => projects.map(({ id }) => id);
const byId = <T extends { id: number }>(rows: readonly T[]): Map<number, T> =>
  new Map(rows.map((row) => [row.id, row]));
const getId = ({ id }: Readonly<ProjectRecord>) => id;

/** Data of the full record, unless it was loaded with the project. */
export const projectDetails = load(getId, async (ctx, projects) =>
  byId(await withForksCount(ctx, await readDetails(ctx, { ids: getIds(projects), ...describeCaller(ctx) }))),
);

/** Data of the basic record. */
export const basicProjectDetails = load(getId, async (ctx, projects) =>
  byId(await withForksCount(ctx, await findBasicDetails(ctx, { ids: getIds(projects) }))),
);

/** What forks were forked from, as far as the caller may read it: two statements, none without forks. */
export const upstreams = load(
  ({ forked_from_id: id }: Readonly<ProjectRecord>) => id,
  async (ctx, projects) => {
    const ids = [...new Set(projects.map((project) => project.forked_from_id).filter((id) => typeof id === 'number'))];
    if (ids.length === 0) return new Map<number, ProjectRecord>();
    const found = await readAll(ctx, visibleProjects(ctx, [onProjects('p.id', '=', anyOf(ids, 'bigint'))]));
    await basicProjectDetails.fill(ctx, found);
    return new Map<number | null | undefined, ProjectRecord>(found.map((upstream) => [upstream.id, upstream]));
  },
);

const findStatistics = prepareQuery((db: Kysely<TenancyDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('project_statistics as st')
    .select(columns(ProjectStatistics, 'st'))
    .where('st.project_id', '=', anyOf(ids, 'bigint')),
);

/** Statistics of projects by id. Checks no permissions. */
export async function statisticsById(ctx: Context, ids: readonly number[]): Promise<Map<number, ProjectStatistics>> {
  if (ids.length === 0) return new Map();
  const found = await findStatistics(ctx, { ids });
  return new Map(found.map((statistics) => [statistics.project_id, statistics]));
}

/** Statistics of the projects whose statistics the caller may read, with one statement or none. */
export const projectStatistics = load(getId, (ctx, projects) =>
  statisticsById(ctx, projects.filter((project) => projectPolicy.read_statistics(ctx.caller, project)).map(getId)),
);

/** The details of a loaded record. */
export function getProjectDetails(project: ProjectRecord, ctx: Context): ProjectDetails {
  const details = projectDetails.of(project, ctx);
  if (!details) throw new Error(`Project ${project.id} is shown before its details are loaded.`);
  return details;
}

/** The basic details of a loaded record. */
export const getBasicDetails = (project: ProjectRecord, ctx: Context): BasicProjectDetails =>
  basicProjectDetails.of(project, ctx) ?? getProjectDetails(project, ctx);

export const getProjectSettings = (project: ProjectRecord, ctx: Context): ProjectSettings =>
  getProjectDetails(project, ctx).settings;
