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

const reads = (caller: UserOrAnonymous, project: ProjectRecord): boolean =>
  featureOpen(caller, project, project.package_registry_access_level) &&
  (project.visibility !== 'private' || roleIn(caller, project, 'reporter'));

/**
 * Permissions for the packages of a project, as in the public product: in a private project, Reporters read them,
 * otherwise everyone who can see the project; Developers publish, Maintainers delete.
 */
export const packagePolicy = policy({
  read_package: reads,
  create_package: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && reads(caller, project) && roleIn(caller, project, 'developer'),
  destroy_package: (caller: UserOrAnonymous, project: ProjectRecord) =>
    writable(project) && reads(caller, project) && roleIn(caller, project, 'maintainer'),
});

/** Projects whose packages the caller may read: the same rule as `read_package`, on `p`. */
export function packageProjects(ctx: Context): Expression<SqlBool> {
  const { caller } = ctx;
  const open = [visibleProjectsCondition(ctx), featureOpenSql(ctx, 'package_registry_access_level')];
  if (caller.admin) return onProjects.and(open);
  const notPrivate = onProjects('p.visibility', '<>', constant('private'));
  if (caller.anonymous) return onProjects.and([...open, notPrivate]);
  const reporter = memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.reporter);
  return onProjects.and([...open, onProjects.or([notPrivate, reporter])]);
}
