import { aboutProject } from '../../core/job-context.js';
import type { ProjectRecord } from './project.record.js';
import type { Caller, UserOrAnonymous } from '../../core/callers.js';
import { userIdOf } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { NotFound, ProjectMoved } from '../../core/errors.js';
import type { List } from '../../core/list.js';
import { byId } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { text } from '../../core/fields.js';
import { and, columns, or, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { memberOfProject, projectAccess, today } from '../access/access.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { Project } from './project.entity.js';
import { projectPolicy } from './project.policy.js';

export const projectTables: Sql = sql`projects p
  join namespaces n on n.id = p.namespace_id
  join routes r on r.project_id = p.id
  join routes nr on nr.namespace_id = n.id`;

/** What a project record selects, with the caller's access. */
export function projectColumns(ctx: Context<Caller>): Sql {
  return sql`${columns(Project, 'p')}, r.path as "full_path", r.name as "full_name",
    ${columns(Namespace, 'n', 'namespace.')}, nr.path as "namespace.full_path",
    exists (select 1 from project_shares ps where ps.project_id = p.id) as "shared",
    ${projectAccess(userIdOf(ctx.caller), today(ctx))} as "access"`;
}

/**
 * The project that an id or full path names, if the caller may read it. A path that it had before names it too, as
 * long as nothing else has taken it.
 * @param reference digits are an id; text with a slash is a full path, whatever its case
 * @throws NotFound "404 Project Not Found", also for what is invisible
 */
export async function findProject(ctx: Context<Caller>, reference: string | number): Promise<ProjectRecord> {
  const condition = projectCondition(reference);
  let project = condition && (await selectProject(ctx, condition));
  if (condition && !project && isPath(reference)) project = await selectProject(ctx, formerPath(String(reference)));
  if (!project || !projectPolicy.read_project(ctx.caller, project))
    throw new NotFound('Project').hiding(project !== null);
  return project;
}

/** The same, or null for what is not there or not to be seen. */
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
 * The project that the `:id` of a URL names.
 * @throws NotFound as {@link findProject} does
 * @throws ProjectMoved by a path that it had before: a URL says where a thing is (projects.md section 5.4)
 */
export async function findProjectOfUrl(ctx: Context<Caller>, id: string): Promise<ProjectRecord> {
  const project = await findProject(ctx, id);
  if (isPath(id) && id.toLowerCase() !== project.full_path.toLowerCase()) throw new ProjectMoved(project.id);
  return project;
}

const selectProject = (ctx: Context<Caller>, condition: Sql) =>
  ctx.queryOne<ProjectRecord>(sql`select ${projectColumns(ctx)} from ${projectTables} where ${condition}`);

const formerPath = (path: string): Sql =>
  sql`p.id = (select o.project_id from redirect_routes o where lower(o.path) = lower(${path}))`;

const isPath = (reference: string | number) => typeof reference === 'string' && reference.includes('/');

/** The project of that id or full path, as a condition on `p` and its route `r`; null for what can be neither. */
export function projectCondition(reference: string | number): Sql | null {
  const given = String(reference);
  if (/^\d+$/.test(given)) return given.length < 16 ? sql`p.id = ${Number(given)}` : null;
  return given.includes('/') ? sql`lower(r.path) = lower(${given})` : null;
}

/**
 * The id of the project that an id or full path names, as SQL, null for none: what is in a project can be asked for
 * together with the project itself. Says nothing about rights.
 */
export function projectIdSql(reference: string | number): Sql {
  const given = String(reference);
  if (/^\d{1,15}$/.test(given)) return sql`${Number(given)}::bigint`;
  return sql`(select named.project_id from routes named where lower(named.path) = lower(${given}))`;
}

/** The subject of every `/projects/:id/…` operation. */
export const project: Subject<ProjectRecord, Caller> = {
  noun: 'Project',
  params: {
    id: text()
      .describe('Id, or URL-encoded full path, of the project.')
      .meta({ examples: ['root/rocket'] }),
  },
  find: (ctx, input: { id: string }) => findProjectOfUrl(ctx, input.id),
  about: aboutProject,
};

/** Projects that the caller may read: the same rule as `read_project`, as a condition on `p`. */
export function visibleProjectsCondition(ctx: Context): Sql {
  return and([sql`p.removal_started_at is null`, open(ctx)]);
}

function open(ctx: Context): Sql {
  const { caller } = ctx;
  if (caller.admin) return sql`true`;
  if (caller.anonymous) return openToAll(caller);
  return or([openToAll(caller), memberOfProject(caller.id, today(ctx))]);
}

/** Projects that the caller reads without being a member, as a condition on `p`. */
export function openToAll({ anonymous, user }: UserOrAnonymous): Sql {
  return anonymous || user?.external ? sql`p.visibility = 'public'` : sql`p.visibility in ('public', 'internal')`;
}

/**
 * Projects that the caller may read, as a list; filters are added to `where`.
 * @param options.removed with those whose removal has begun
 */
export function visibleProjects(
  ctx: Context,
  where: readonly Sql[] = [],
  options: { removed?: boolean } = {},
): List<ProjectRecord> {
  return {
    select: projectColumns(ctx),
    from: projectTables,
    // Filters speak of the project alone.
    matching: sql`projects p`,
    where: [options.removed ? open(ctx) : visibleProjectsCondition(ctx), ...where],
    order: [byId('p', 'desc')],
  };
}
