import type { Expression, SqlBool } from 'kysely';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { ACCESS_LEVELS, policy, roleIn } from '../../core/operations/policy.js';
import { constant } from '../../core/database/expressions.js';
import { featureOpenSql } from '../../tenancy/containers/planning-rights.js';
import { memberOfProject, today } from '../../tenancy/namespaces/access.js';
import { onProjects, visibleProjectsCondition } from '../../tenancy/projects/project.finder.js';
import { featureOpen, writable } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

const reads = (caller: UserOrAnonymous, project: ProjectRecord): boolean => {
  const { container_registry_access_level: level, visibility } = project;
  if (!featureOpen(caller, project, level)) return false;
  return (level !== 'private' && visibility !== 'private') || roleIn(caller, project, 'reporter');
};

const writes = (caller: UserOrAnonymous, project: ProjectRecord, role: 'developer' | 'maintainer'): boolean =>
  writable(project) && reads(caller, project) && roleIn(caller, project, role);

/**
 * Permissions for the images of a project, as in the public product: if the project or its registry is private,
 * Reporters pull, otherwise everyone who can see the project; Developers push and delete tags, Maintainers delete
 * repositories.
 */
export const containerImagePolicy = policy({
  read_container_image: reads,
  create_container_image: (caller: UserOrAnonymous, project: ProjectRecord) => writes(caller, project, 'developer'),
  destroy_container_image: (caller: UserOrAnonymous, project: ProjectRecord) => writes(caller, project, 'developer'),
  admin_container_image: (caller: UserOrAnonymous, project: ProjectRecord) => writes(caller, project, 'maintainer'),
});

/** Projects whose images the caller may pull: the same rule as `read_container_image`, on `p`. */
export function containerProjects(ctx: Context): Expression<SqlBool> {
  const { caller } = ctx;
  const open = [visibleProjectsCondition(ctx), featureOpenSql(ctx, 'container_registry_access_level')];
  if (caller.admin) return onProjects.and(open);
  const notPrivate = onProjects.and([
    onProjects('p.visibility', '<>', constant('private')),
    onProjects('p.container_registry_access_level', '<>', constant('private')),
  ]);
  if (caller.anonymous) return onProjects.and([...open, notPrivate]);
  const reporter = memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.reporter);
  return onProjects.and([...open, onProjects.or([notPrivate, reporter])]);
}
