import { removeAvatarsOf } from '../../instance/avatars/avatar-files.js';
import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { sql } from '../../core/sql.js';

/** Projects removed in one transaction, with everything that belongs to them. */
const BATCH = 100;

/** Hides the group, if it is there and still marked by this very mark: one that was restored stays. */
async function startRemoval(ctx: Context, groupId: number, markedAt: Date): Promise<boolean> {
  const started = await ctx.query(sql`
    update group_settings set removal_started_at = coalesce(removal_started_at, ${ctx.clock.now()})
     where namespace_id = ${groupId} and marked_for_deletion_at = ${markedAt} returning id`);
  return started.length > 0;
}

interface RemovedProject {
  id: number;
  namespace_id: number;
  full_path: string;
  repository_created: boolean;
}

/** Removes projects in or below a namespace, up to a hundred. @returns whether there may be more */
export async function removeProjects(ctx: Context, groupId: number): Promise<boolean> {
  const removed = await ctx.query<RemovedProject>(sql`
    with doomed as (
      select p.id, r.path from projects p join namespaces d on d.id = p.namespace_id join routes r on r.project_id = p.id
       where d.traversal_ids @> array[${groupId}]::bigint[] order by p.id limit ${BATCH})
    delete from projects p using doomed where p.id = doomed.id
    returning p.id as "id", p.namespace_id as "namespace_id", doomed.path as "full_path",
              p.repository_created as "repository_created"`);
  for (const { repository_created, ...project } of removed)
    ctx.record({ type: 'project.removed', project, repository_created, with_namespace: true });
  return removed.length === BATCH;
}

/**
 * Removes a marked group for good: its projects in batches, then its subgroups and itself. The repositories follow in
 * jobs of their own, once no row names them any more. Safe to repeat, and to go on with after a crash.
 */
export async function removeGroup(ctx: Context, groupId: number, markedAt: Date): Promise<void> {
  await inSteps(ctx, () =>
    ctx.transaction(async () => {
      if (!(await startRemoval(ctx, groupId, markedAt))) return false;
      if (await removeProjects(ctx, groupId)) return true;
      const removed = await ctx.query<{ id: number; full_path: string }>(sql`
        with doomed as (
          select d.id, r.path from namespaces d join routes r on r.namespace_id = d.id
           where d.traversal_ids @> array[${groupId}]::bigint[])
        delete from namespaces n using doomed where n.id = doomed.id
        returning n.id as "id", doomed.path as "full_path"`);
      for (const group of removed) ctx.record({ type: 'group.removed', group });
      await removeAvatarsOf(
        ctx,
        'group',
        removed.map(({ id }) => id),
      );
      return false;
    }),
  );
}
