import { expressionBuilder } from 'kysely';
import type { Expression, ExpressionBuilder, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import { aboutProject } from '../../core/values/job-context.js';
import { Project } from './project.entity.js';
import type { ProjectRecord } from './project.entity.js';
import type { Caller } from '../../core/context/callers.js';
import { getUserId } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import { anyOf, constant, sameText, scalar } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders, Query } from '../../core/database/prepared.js';
import { asQueryOf } from '../../core/database/tables.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound, ProjectMoved } from '../../core/values/errors.js';
import type { List } from '../../core/database/list.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { text } from '../../core/operations/fields.js';
import { memberOfProject, projectAccess, today } from '../namespaces/access.js';
import { forCaller } from '../namespaces/for-caller.js';
import type { Viewer, Who } from '../namespaces/for-caller.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { projectPolicy } from './project.policy.js';

/** Tables available to conditions on project `p`, its namespace `n`, its route `r` and the namespace's route `nr`. */
export type OfProjects = Aliased<TenancyDatabase, { p: 'projects'; n: 'namespaces'; r: 'routes'; nr: 'routes' }>;

/** Projects `p` with their namespaces `n` and the routes of both, `r` and `nr`. */
export const joinProjectTables = <O>(query: SelectQueryBuilder<OfProjects, 'p', O>) =>
  asQueryOf<OfProjects, 'n' | 'nr' | 'p' | 'r'>()(
    query
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .innerJoin('routes as r', 'r.project_id', 'p.id')
      .innerJoin('routes as nr', 'nr.namespace_id', 'n.id'),
  );

/** Columns of a project record, with a user's access, from {@link joinProjectTables}. */
function selectProjects(userId: number | Expression<number>, day: string | Expression<string>) {
  const eb = expressionBuilder<OfProjects, 'n' | 'nr' | 'p' | 'r'>();
  const shares = eb
    .selectFrom('project_shares as ps')
    .select(eb.lit(1).as('one'))
    .whereRef('ps.project_id', '=', 'p.id');
  return [
    ...columns(Project, 'p'),
    eb.ref('r.path').as('full_path'),
    eb.ref('r.name').as('full_name'),
    ...nested('namespace', Namespace, 'n', { more: { full_path: eb.ref('nr.path') } }),
    eb.exists(shares).as('shared'),
    projectAccess(userId, day).as('access'),
  ];
}

/**
 * Finds a project by id or full path if the caller may read it. A former path works too, as long as it has not been
 * claimed since.
 * @param reference digits are an id; text with a slash is a full path, case-insensitive
 * @throws NotFound "404 Project Not Found", also for projects hidden from the caller
 */
export async function findProject(ctx: Context<Caller>, reference: string | number): Promise<ProjectRecord> {
  const idOrPath = String(reference);
  let project = null;
  if (/^\d+$/.test(idOrPath)) project = idOrPath.length < 16 ? await selectBy(ctx, 'id', Number(idOrPath)) : null;
  else if (isPath(idOrPath))
    project = (await selectBy(ctx, 'path', idOrPath)) ?? (await selectBy(ctx, 'formerPath', idOrPath));
  if (!project || !projectPolicy.read_project(ctx.caller, project))
    throw new NotFound('Project').hiding(project !== null);
  return project;
}

/** Like {@link findProject}, but null for a missing or hidden project. */
export async function findVisibleProject(
  ctx: Context<Caller>,
  reference: string | number,
): Promise<ProjectRecord | null> {
  try {
    return await findProject(ctx, reference);
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

/**
 * The project that the `:id` of a URL refers to.
 * @throws NotFound as {@link findProject} does
 * @throws ProjectMoved for a former path: a URL must use the current one (projects.md section 5.4)
 */
export async function findProjectOfUrl(ctx: Context<Caller>, id: string): Promise<ProjectRecord> {
  const project = await findProject(ctx, id);
  if (isPath(id) && id.toLowerCase() !== project.full_path.toLowerCase()) throw new ProjectMoved(project.id);
  return project;
}

interface Lookup extends Who {
  readonly reference: number | string;
}

type ProjectExpressions = ExpressionBuilder<OfProjects, 'n' | 'nr' | 'p' | 'r'>;

/** What names a project. */
const references = {
  id: (eb: ProjectExpressions, id: Expression<never>) => eb('p.id', '=', id),
  path: (eb: ProjectExpressions, path: Expression<never>) =>
    eb(eb.fn('lower', ['r.path']), '=', eb.fn('lower', [path])),
  /** A path that it had before. */
  formerPath: (eb: ProjectExpressions, path: Expression<never>) =>
    eb(
      'p.id',
      '=',
      eb
        .selectFrom('redirect_routes as o')
        .select('o.project_id')
        .where((of) => of(of.fn('lower', ['o.path']), '=', of.fn('lower', [path]))),
    ),
};

type Reference = keyof typeof references;

const preparedBy = (by: Reference, anonymous: boolean) =>
  prepareQuery<OfProjects, Lookup, ProjectRecord>((db, { reference, userId, day }) =>
    joinProjectTables(db.selectFrom('projects as p'))
      .where((eb) => references[by](eb, reference as Expression<never>))
      .select(selectProjects(anonymous ? 0 : userId, day)),
  );

/** For callers that may have roles, and for those that have none. */
const preparedFor = (by: Reference) => ({ member: preparedBy(by, false), nobody: preparedBy(by, true) });
const prepared = { id: preparedFor('id'), path: preparedFor('path'), formerPath: preparedFor('formerPath') };

async function selectBy(ctx: Context<Caller>, by: Reference, reference: number | string) {
  const userId = getUserId(ctx.caller);
  const select = prepared[by][userId === 0 ? 'nobody' : 'member'];
  return (await select(ctx, { reference, userId, day: today(ctx) }))[0] ?? null;
}

const selectOfIds = prepareQuery<OfProjects, Who & { ids: readonly number[] }, ProjectRecord>(
  (db, { ids, userId, day }) =>
    joinProjectTables(db.selectFrom('projects as p'))
      .where('p.id', '=', anyOf(ids, 'bigint'))
      .select(selectProjects(userId, day)),
);

/** Projects by id with the caller's access to them, without permission checks. */
export const projectsOfIds = (ctx: Context<Caller>, ids: readonly number[]): Promise<ProjectRecord[]> =>
  selectOfIds(ctx, { ids, userId: getUserId(ctx.caller), day: today(ctx) });

const isPath = (reference: string | number) => typeof reference === 'string' && reference.includes('/');

/** The project of that id or full path, as a condition on `p` and its route `r`; null for what can be neither. */
export function projectCondition(reference: string | number): Expression<SqlBool> | null {
  const idOrPath = String(reference);
  if (/^\d+$/.test(idOrPath)) return idOrPath.length < 16 ? onProjects('p.id', '=', Number(idOrPath)) : null;
  return idOrPath.includes('/') ? sameText(expressionBuilder<OfProjects, 'r'>().ref('r.path'), idOrPath) : null;
}

/** The id of the project with a full path, or null; lets a query load a project's contents together with it. */
export const projectIdOfPath = (path: Expression<string>): Expression<number> =>
  scalar(
    expressionBuilder<TenancyDatabase>()
      .selectFrom('routes as named')
      .select('named.project_id')
      .where((eb) => eb(eb.fn('lower', ['named.path']), '=', eb.fn('lower', [path])))
      .$castTo<{ project_id: number }>(),
  );

/**
 * A query for the contents of a project given by id or full path, built once for each of the two; it can run
 * concurrently with loading the project itself. Checks no permissions.
 * @param build the query, with placeholders for the project's id and other values
 */
export function queryInProject<Database, Values extends object, Row>(
  build: (db: Kysely<Database>, projectId: Expression<number>, values: Placeholders<Values>) => Query<Row>,
): (ctx: Context<Caller>, reference: string, values: Values) => Promise<Row[]> {
  const byPath = prepareQuery<Database, Values & { path: string }, Row>((db, values) =>
    build(db, projectIdOfPath((values as Placeholders<{ path: string }>).path), values as Placeholders<Values>),
  );
  const byProject = prepareQuery<Database, Values & { project_id: number }, Row>((db, values) =>
    build(db, (values as Placeholders<{ project_id: number }>).project_id, values as Placeholders<Values>),
  );
  return (ctx, reference, values) =>
    /^\d{1,15}$/.test(reference)
      ? byProject(ctx, { ...values, project_id: Number(reference) })
      : byPath(ctx, { ...values, path: reference });
}

/** The resource of every `/projects/:id/…` operation. */
export const project: Resource<ProjectRecord, Caller> = {
  noun: 'Project',
  params: {
    id: text()
      .describe('ID, or URL-encoded full path, of the project.')
      .meta({ examples: ['root/rocket'] }),
  },
  find: (ctx, input: { id: string }) => findProjectOfUrl(ctx, input.id),
  about: aboutProject,
};

/** Builds conditions on projects `p`. */
export const onProjects = expressionBuilder<OfProjects, 'p'>();

/** Projects `p` that a viewer reads without being a member. */
export const isOpenToAll = ({ anonymous, external }: Pick<Viewer, 'anonymous' | 'external'>): Expression<SqlBool> =>
  anonymous || external
    ? onProjects('p.visibility', '=', constant('public'))
    : onProjects('p.visibility', 'in', [constant('public'), constant('internal')]);

function isReadable(viewer: Viewer): Expression<SqlBool> {
  if (viewer.admin) return constant(true);
  if (viewer.anonymous) return isOpenToAll(viewer);
  return onProjects.or([isOpenToAll(viewer), memberOfProject(viewer.userId, viewer.day)]);
}

/** Projects `p` that a viewer may read. */
export const isVisibleProject = (viewer: Viewer): Expression<SqlBool> =>
  onProjects.and([onProjects('p.removal_started_at', 'is', null), isReadable(viewer)]);

const readableProjects = forCaller(isReadable);

/** Projects that the caller may read: the same rule as `read_project`, as a condition on `p`. */
export const visibleProjectsCondition = forCaller(isVisibleProject);

/**
 * Projects that the caller may read, as a list; filters are added to `where`.
 * @param options.removed includes projects whose removal has begun
 */
export function visibleProjects(
  ctx: Context,
  where: readonly Expression<SqlBool>[] = [],
  options: { removed?: boolean } = {},
): List<ProjectRecord> {
  const list: List<ProjectRecord> = {
    // Conditions refer only to the project, so that matches are counted without the joined tables.
    matching: expressionBuilder<OfProjects>().selectFrom('projects as p'),
    select: (query: SelectQueryBuilder<OfProjects, 'p', object>) =>
      joinProjectTables(query).select(selectProjects(getUserId(ctx.caller), today(ctx))),
    order: [byId('p', 'desc')],
  };
  return narrow(list, [options.removed ? readableProjects(ctx) : visibleProjectsCondition(ctx), ...where]);
}
