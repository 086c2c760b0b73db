import type { ProjectRecord } from './project.entity.js';
import type { Context } from '../../core/context/context.js';
import { authorize } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { projectAccess, today } from '../namespaces/access.js';
import { holdNamespaces } from '../namespaces/claim-path.js';
import { findProject, joinProjectTables, project, projectCondition } from './project.finder.js';
import type { OfProjects } from './project.finder.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { projectPolicy } from './project.policy.js';

/**
 * Locks a project for a change of its namespace, path or state and reads its current values: it may have changed since
 * it was found, and the caller's permissions with it. Its namespace cannot be moved until the transaction ends.
 * Namespaces are locked before projects, and in id order, to avoid deadlocks.
 * @param namespaceIds other namespaces to lock as well, such as the target of a transfer
 * @throws NotFound, Forbidden if the caller has lost the permission meanwhile
 */
export async function lockProject(
  ctx: Context,
  found: { id: number; namespace_id: number },
  ability: keyof typeof projectPolicy,
  namespaceIds: readonly number[] = [],
): Promise<ProjectRecord> {
  const held = [found.namespace_id, ...namespaceIds];
  await holdNamespaces(ctx, held);
  await ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('projects as p')
    .select('p.id')
    .where('p.id', '=', found.id)
    .forNoKeyUpdate()
    .execute();
  const project = await findProject(ctx, found.id);
  authorize(ctx, projectPolicy, ability, project);
  // It was transferred until it was locked; now it stays.
  if (!held.includes(project.namespace_id)) await holdNamespaces(ctx, [project.namespace_id]);
  return project;
}

/** Where a project lies that the caller may edit; null for any other, and for a path that it had before. */
async function findEditable(ctx: Context, id: string): Promise<{ id: number; namespace_id: number } | null> {
  const condition = projectCondition(id);
  if (!condition) return null;
  const { caller } = ctx;
  const row = await joinProjectTables(ctx.em.getKysely<OfProjects>().selectFrom('projects as p'))
    .select(['p.id', 'p.namespace_id'])
    .where(condition)
    .$if(!caller.admin, (query) =>
      query.where((eb) => eb(projectAccess(caller.id, today(ctx)), '>=', ACCESS_LEVELS.maintainer)),
    )
    .executeTakeFirst();
  return row ?? null;
}

/**
 * The resource of operations that edit a project. Locks the project before finding it, so that the found state cannot
 * change. Only callers who may edit the project lock it; others find it as usual and are refused.
 */
export const editedProject: Resource<ProjectRecord> = {
  ...project,
  async find(ctx, input: { id: string }) {
    const row = await findEditable(ctx, input.id);
    return row ? lockProject(ctx, row, 'admin_project') : project.find(ctx, input);
  },
};
