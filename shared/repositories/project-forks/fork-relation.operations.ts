import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Conflict, Invalid, NotModified } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { authorize, can, operation } from '../../core/operations/operation.js';
import { lockName } from '../../core/database/lock-name.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { lockProject } from '../../tenancy/projects/lock-project.js';
import { findProject, project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';

/** Relations change one after the other: two at once could close a circle that neither sees. */
const lockRelations = (ctx: Context) => lockName(ctx, 'project_fork_relations');

/** Whether a project is `id` itself or comes from it, over however many forks. */
async function comesFrom(ctx: Context, upstreamId: number, id: number): Promise<boolean> {
  const row = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .withRecursive('line', (db) =>
      db
        .selectFrom('projects as p')
        .select(['p.id', 'p.forked_from_id'])
        .where('p.id', '=', upstreamId)
        .union(
          db
            .selectFrom('line as l')
            .innerJoin('projects as p', 'p.id', 'l.forked_from_id')
            .select(['p.id', 'p.forked_from_id']),
        ),
    )
    .selectFrom('line')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

async function relate(ctx: Context, found: ProjectRecord, upstream: ProjectRecord | null): Promise<void> {
  const related = { forked_from_id: upstream?.id ?? null, updated_at: ctx.clock.now() };
  await ctx.em.nativeUpdate(Project, { id: found.id }, related);
  ctx.record(
    upstream
      ? { type: 'project.fork_linked', project: found, upstream }
      : { type: 'project.fork_unlinked', project: found, upstream_id: found.forked_from_id ?? null },
  );
}

/** Mark a project as a fork of another one. Requires an Owner of the project who may fork the other one. */
export const linkFork = operation({
  name: 'linkFork',
  summary: 'Create a fork relation between existing projects',
  resource: project,
  can: can(projectPolicy, 'link_fork'),
  kind: 'write',
  statements: 18,
  params: {
    forked_from_id: text()
      .describe('ID or full path of the project that this project is a fork of.')
      .meta({ examples: ['root/rocket'] }),
  },
  async run(ctx, found, input) {
    const upstream = await findProject(ctx, input.forked_from_id);
    authorize(ctx, projectPolicy, 'fork_project', upstream);
    if (upstream.id === found.id) throw new Invalid('Target project cannot be equal to source project');
    await lockRelations(ctx);
    const locked = await lockProject(ctx, found, 'link_fork');
    if (typeof locked.forked_from_id === 'number') throw new Conflict('Project already forked');
    if (await comesFrom(ctx, upstream.id, locked.id))
      throw new Invalid({ forked_from_project_id: ['is a fork of the project'] });
    await relate(ctx, locked, upstream);
    return findProject(ctx, locked.id);
  },
});

/** Remove a project's fork relation. Requires an Owner. The project's contents remain. */
export const unlinkFork = operation({
  name: 'unlinkFork',
  summary: 'Delete the fork relation of a project',
  resource: project,
  can: can(projectPolicy, 'link_fork'),
  kind: 'write',
  conditional: true,
  async run(ctx, found) {
    const locked = await lockProject(ctx, found, 'link_fork');
    if (typeof locked.forked_from_id !== 'number') throw new NotModified();
    await relate(ctx, locked, null);
  },
});
