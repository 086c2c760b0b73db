import type { UserRecord } from '../users/user.entity.js';
import type { Context } from '../../core/context/context.js';
import { oneOf, text, withDefault } from '../../core/operations/fields.js';
import type { Resource } from '../../core/operations/operation.js';
import { instance, operation } from '../../core/operations/operation.js';
import { constant } from '../../core/database/expressions.js';
import { findUserByReference } from '../users/user.finder.js';
import { starredBy } from './project-access-filters.js';
import { contributedBy } from '../projects/project-contribution.finder.js';
import { filteredProjects, presentationParams, projectFilterParams } from './project.filters.js';
import { onProjects, project } from '../projects/project.finder.js';

/** List the projects that the caller may see, newest first. */
export const listProjects = operation({
  name: 'listProjects',
  summary: 'List projects visible to the caller',
  resource: instance,
  authentication: 'open',
  limit: 'projects_list',
  kind: 'read',
  statements: 5,
  params: projectFilterParams,
  run: (ctx, _instance, input) =>
    Promise.resolve(
      filteredProjects(ctx, input, {
        // The default order is equivalent, but keyset pagination requires an explicit order by id (projects.md section
        // 2.4).
        keyset: { type: 'Project', by: 'id', offered: input.order_by === 'id' },
      }),
    ),
});

/** List the forks of a project that the caller may see. */
export const listForks = operation({
  name: 'listForks',
  summary: 'List the forks of a project',
  resource: project,
  authentication: 'open',
  kind: 'read',
  statements: 6,
  params: projectFilterParams,
  run: (ctx, found, input) =>
    Promise.resolve(filteredProjects(ctx, input, { where: [onProjects('p.forked_from_id', '=', found.id)] })),
});

/** The resource of `/users/:user_id/<projects of some kind>`. */
const userOfProjects: Resource<UserRecord> = {
  noun: 'User',
  params: {
    user_id: text()
      .describe('ID or username of the user.')
      .meta({ examples: ['root'] }),
  },
  find: (ctx, input: { user_id: string }) => findUserByReference(ctx, input.user_id),
};

/** List the projects in a user's own namespace. */
export const listProjectsOfUser = operation({
  name: 'listProjectsOfUser',
  summary: "List a user's projects",
  resource: userOfProjects,
  authentication: 'open',
  limit: 'user_projects',
  kind: 'read',
  statements: 6,
  params: projectFilterParams,
  run: (ctx, user, input) =>
    Promise.resolve(
      filteredProjects(ctx, input, { where: [onProjects('p.namespace_id', '=', user.namespace_id ?? 0)] }),
    ),
});

/** Who keeps their profile to themselves shows neither stars nor contributions to others. */
function isHidden(ctx: Context, user: UserRecord): boolean {
  return user.profile.private_profile && !ctx.caller.admin && ctx.caller.id !== user.id;
}

/** List the projects that a user starred. */
export const listStarredProjects = operation({
  name: 'listStarredProjects',
  summary: 'List the projects that a user starred',
  resource: userOfProjects,
  authentication: 'open',
  limit: 'user_starred_projects',
  kind: 'read',
  statements: 6,
  params: projectFilterParams,
  run: (ctx, user, input) =>
    Promise.resolve(
      filteredProjects(ctx, input, { where: [isHidden(ctx, user) ? constant(false) : starredBy(user.id)] }),
    ),
});

/** List the projects that a user pushed to within the last year. */
export const listContributedProjects = operation({
  name: 'listContributedProjects',
  summary: 'List the projects that a user contributed to',
  resource: userOfProjects,
  authentication: 'open',
  limit: 'user_contributed_projects',
  kind: 'read',
  statements: 6,
  params: {
    order_by: withDefault(
      oneOf(['id', 'name', 'path', 'created_at', 'updated_at', 'star_count', 'last_activity_at']),
      'created_at',
    ).describe('Field to sort the projects by.'),
    sort: projectFilterParams.sort,
    ...presentationParams,
  },
  run: (ctx, user, input) =>
    Promise.resolve(
      filteredProjects(ctx, input, { where: [isHidden(ctx, user) ? constant(false) : contributedBy(ctx, user.id)] }),
    ),
});
