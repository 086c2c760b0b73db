import { NotModified } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { findProject, project } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { userSummary } from '../users/user.serializer.js';
import { ProjectStar } from './project-star.entity.js';
import { findStars } from './project-star.finder.js';
import type { StarRecord } from './project-star.finder.js';

/** Star a project, at most once per user. Requires read access. */
export const starProject = operation({
  name: 'starProject',
  summary: 'Star a project',
  resource: project,
  can: can(projectPolicy, 'star_project'),
  kind: 'write',
  async run(ctx, found) {
    const star = await ctx.em
      .getKysely<TenancyDatabase>()
      .insertInto('project_stars')
      .values({ project_id: found.id, user_id: ctx.caller.user.id, created_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!star) throw new NotModified();
    return findProject(ctx, found.id);
  },
});

/** Take one's star from a project back. */
export const unstarProject = operation({
  name: 'unstarProject',
  summary: 'Unstar a project',
  resource: project,
  can: can(projectPolicy, 'star_project'),
  kind: 'write',
  async run(ctx, found) {
    const count = await ctx.em.nativeDelete(ProjectStar, { project_id: found.id, user_id: ctx.caller.user.id });
    if (count === 0) throw new NotModified();
    return findProject(ctx, found.id);
  },
});

/** List who starred a project, the first one first. */
export const listStarrers = operation({
  name: 'listStarrers',
  summary: 'List the starrers of a project',
  resource: project,
  can: can(projectPolicy, 'read_project'),
  kind: 'read',
  statements: 4,
  params: { search: optional(text()).describe('Part of the name or username of the user.') },
  run: (ctx, found, input) => Promise.resolve(findStars(ctx, found, input.search)),
});

/** Who starred a project, and since when. */
export const starSerializer = serializer<StarRecord>('ProjectStarrer', {
  starred_since: out.instant((star) => star.created_at),
  user: out.record(userSummary, (star) => star.user),
});
