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

/** The full path or name without its last part and the separator before it. */
const above = (full: string, own: string, separator: string) => full.slice(0, -(own.length + separator.length));

/** Full path and full name that a project has, or would have. */
function fullLocation(project: ProjectRecord, to: ProjectLocation): { path: string; name: string } {
  const { full_path: path, full_name: name } = to.namespace ?? {
    full_path: project.namespace.full_path,
    full_name: above(project.full_name, project.name, ' / '),
  };
  return { path: `${path}/${to.path}`, name: `${name} / ${to.name}` };
}

/** Whether another project there has the path or the name, or a wiki the path. */
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
 * The location or, if its name or path is taken, an unguessable variant of it that cannot be taken in advance: for
 * changes that must not be prevented.
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
 * Changes a project's name, path or namespace; the old path redirects to the new one (projects.md section 5.4). The
 * caller has locked the project (`lockProject`) and checked that the location is free.
 * @returns false if a concurrent request took it; the transaction is then aborted and the caller must throw
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
