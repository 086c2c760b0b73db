import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { randomBytes } from 'node:crypto';
import type { Context } from '../../core/context/context.js';
import { violatedConstraint } from '../../core/database/database.js';
import { sameText } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { moveProjectRoute } from '../../tenancy/namespaces/claim-path.js';
import { conflictsWithWiki } from '../../tenancy/namespaces/wiki-paths.js';
import { NAME_INDEX } from '../../tenancy/projects/project.rules.js';

/** Where a project is to be. */
export interface ProjectLocation {
  name: string;
  path: string;
  /** The namespace it goes to; its own when left out. */
  namespace?: { id: number; full_path: string; full_name: string };
}

/** The full path or name without its last part and what stands before that. */
const above = (full: string, own: string, separator: string) => full.slice(0, -(own.length + separator.length));

/** Full path and full name that a project has, or would have. */
function fullLocation(project: ProjectRecord, to: ProjectLocation): { path: string; name: string } {
  const { full_path: path, full_name: name } = to.namespace ?? {
    full_path: project.namespace.full_path,
    full_name: above(project.full_name, project.name, ' / '),
  };
  return { path: `${path}/${to.path}`, name: `${name} / ${to.name}` };
}

/** Which of its path and its name another project has there already; of its path also what is a wiki's. */
export async function findConflicts(
  ctx: Context,
  project: ProjectRecord,
  to: ProjectLocation,
): Promise<{ path: boolean; name: boolean }> {
  const { path } = fullLocation(project, to);
  return ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectNoFrom((eb) => {
      const one = eb.lit(1).as('one');
      const routes = eb
        .selectFrom('routes as r')
        .select(one)
        .where((of) => of.or([sameText(of.ref('r.path'), path), conflictsWithWiki(path, 'project')]))
        .where('r.project_id', 'is distinct from', project.id);
      const projects = eb
        .selectFrom('projects as p')
        .select(one)
        .where('p.namespace_id', '=', to.namespace?.id ?? project.namespace_id)
        .where('p.name', '=', to.name)
        .where('p.id', '<>', project.id);
      return [eb.exists(routes).$castTo<boolean>().as('path'), eb.exists(projects).$castTo<boolean>().as('name')];
    })
    .executeTakeFirstOrThrow();
}

/**
 * The location, or where somebody has its name or path already, one beside it that nobody can have guessed and taken: a
 * change that must not be kept from happening goes there.
 * @param location name and path, in the project's own namespace
 */
export async function freeLocation(
  ctx: Context,
  project: ProjectRecord,
  location: { name: string; path: string },
): Promise<ProjectLocation> {
  const conflicts = await findConflicts(ctx, project, location);
  if (!conflicts.path && !conflicts.name) return location;
  const end = `-${randomBytes(4).toString('hex')}`;
  return { name: location.name + end, path: location.path + end };
}

/**
 * Gives a project another name, path or namespace, by which it is found from now on; the old path leads to it
 * (projects.md section 5.4). The caller has locked it (`lockProject`) and looked whether the location is free.
 * @returns false when somebody was quicker; the transaction is then lost and the caller must throw
 */
export async function moveProject(ctx: Context, project: ProjectRecord, to: ProjectLocation): Promise<boolean> {
  try {
    const namespaceId = to.namespace?.id ?? project.namespace_id;
    const changes = { name: to.name, path: to.path, updated_at: ctx.clock.now(), namespace_id: namespaceId };
    await ctx.em.nativeUpdate(Project, { id: project.id }, changes);
  } catch (error) {
    if (violatedConstraint(error) === NAME_INDEX) return false;
    throw error;
  }
  const from = { path: project.full_path, name: project.full_name };
  return moveProjectRoute(ctx, project.id, from, fullLocation(project, to));
}
