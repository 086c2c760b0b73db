import type { UserOrAnonymous } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { ACCESS_LEVELS, roleIn } from '../../core/policy.js';
import { and, or, raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { memberOfProject, today } from '../../tenancy/access/access.js';
import type { Container } from '../../tenancy/containers/container.js';
import { containerPolicy } from '../../tenancy/containers/container.policy.js';
import { visibleProjectsCondition } from '../../tenancy/projects/project.finder.js';
import { featureOpen } from '../../tenancy/projects/project.policy.js';

/*
 * Labels and milestones are for issues and merge requests alike: a project has them for whoever may see one of the two.
 */

/** Whether somebody may read the labels and milestones of a project or group. */
export function readsPlanning(caller: UserOrAnonymous, container: Container): boolean {
  if (container.kind === 'group') return containerPolicy.read_group(caller, container);
  const { record } = container;
  return (
    featureOpen(caller, record, record.issues_access_level) ||
    featureOpen(caller, record, record.merge_requests_access_level)
  );
}

/** Who writes them: Planners, Reporters and above, where anything new may be made (core-resources.md section 8). */
export const writesPlanning = (caller: UserOrAnonymous, container: Container): boolean =>
  container.open && readsPlanning(caller, container) && roleIn(caller, container, 'planner');

/**
 * That a feature of project `p`, which the caller may read, is open to them, by its column: the same rule as
 * `featureOpen`.
 */
export function featureOpenSql(
  ctx: Context,
  column:
    | 'container_registry_access_level'
    | 'issues_access_level'
    | 'merge_requests_access_level'
    | 'package_registry_access_level'
    | 'repository_access_level'
    | 'snippets_access_level'
    | 'wiki_access_level',
): Fragment {
  const level = raw(`p.${column}`);
  const { caller } = ctx;
  if (caller.admin) return sql`${level} <> 'disabled'`;
  if (caller.anonymous) return sql`${level} not in ('disabled', 'private')`;
  return sql`(${level} not in ('disabled', 'private')
    or (${level} = 'private' and ${memberOfProject(caller.id, today(ctx))}))`;
}

/** Projects whose labels and milestones the caller may read: the same rule as {@link readsPlanning}, on `p`. */
export const planningProjects = (ctx: Context): Fragment =>
  and([
    visibleProjectsCondition(ctx),
    or([featureOpenSql(ctx, 'issues_access_level'), featureOpenSql(ctx, 'merge_requests_access_level')]),
  ]);

/** Projects whose code the caller may read: the same rule as `read_code`, on `p`. */
export function codeProjects(ctx: Context): Fragment {
  const { caller } = ctx;
  const open = and([visibleProjectsCondition(ctx), featureOpenSql(ctx, 'repository_access_level')]);
  if (caller.admin) return open;
  const notPrivate = sql`p.visibility <> 'private'`;
  if (caller.anonymous) return and([open, notPrivate]);
  return and([open, or([notPrivate, memberOfProject(caller.id, today(ctx), ACCESS_LEVELS.reporter)])]);
}
