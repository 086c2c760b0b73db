import type { Expression, SqlBool } from 'kysely';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { ACCESS_LEVELS, roleIn } from '../../core/operations/policy.js';
import { memberOfProject } from '../namespaces/access.js';
import { forCaller } from '../namespaces/for-caller.js';
import type { Viewer } from '../namespaces/for-caller.js';
import type { Container } from './container.js';
import { containerPolicy } from './container.policy.js';
import { isVisibleProject, onProjects } from '../projects/project.finder.js';
import { featureOpen } from '../projects/project.policy.js';

/*
 * Labels and milestones apply to both issues and merge requests: a caller can read those of a project with access to
 * either feature.
 */

/** Whether the caller may read the labels and milestones of a project or group. */
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

/** Columns of projects that store the access level of a feature. */
const FEATURES = [
  'container_registry_access_level',
  'issues_access_level',
  'merge_requests_access_level',
  'package_registry_access_level',
  'repository_access_level',
  'snippets_access_level',
  'wiki_access_level',
] as const;
type Feature = (typeof FEATURES)[number];

/** That a feature of project `p`, which a viewer may read, is open to them: the same rule as `featureOpen`. */
export function isFeatureOpen({ admin, anonymous, userId, day }: Viewer, feature: Feature): Expression<SqlBool> {
  const level = onProjects.ref(`p.${feature}`);
  if (admin) return onProjects(level, '<>', constant('disabled'));
  const forAll = onProjects(level, 'not in', [constant('disabled'), constant('private')]);
  if (anonymous) return forAll;
  const forMembers = onProjects.and([onProjects(level, '=', constant('private')), memberOfProject(userId, day)]);
  return onProjects.or([forAll, forMembers]);
}

const openFeatures = new Map(
  FEATURES.map((feature) => [feature, forCaller((viewer) => isFeatureOpen(viewer, feature))]),
);

/** The same for the caller. */
export const featureOpenSql = (ctx: Context, feature: Feature): Expression<SqlBool> =>
  (openFeatures.get(feature) as ReturnType<typeof forCaller<SqlBool>>)(ctx);

/** Projects whose labels and milestones the caller may read: the same rule as {@link readsPlanning}, on `p`. */
export const planningProjects = forCaller((viewer) =>
  onProjects.and([
    isVisibleProject(viewer),
    onProjects.or([isFeatureOpen(viewer, 'issues_access_level'), isFeatureOpen(viewer, 'merge_requests_access_level')]),
  ]),
);

/** Projects `p` whose code a viewer may read. */
export function isCodeProject(viewer: Viewer): Expression<SqlBool> {
  const open = onProjects.and([isVisibleProject(viewer), isFeatureOpen(viewer, 'repository_access_level')]);
  if (viewer.admin) return open;
  const notPrivate = onProjects('p.visibility', '<>', constant('private'));
  if (viewer.anonymous) return onProjects.and([open, notPrivate]);
  const reports = memberOfProject(viewer.userId, viewer.day, ACCESS_LEVELS.reporter);
  return onProjects.and([open, onProjects.or([notPrivate, reports])]);
}

/** Projects whose code the caller may read: the same rule as `read_code`, on `p`. */
export const codeProjects = forCaller(isCodeProject);
