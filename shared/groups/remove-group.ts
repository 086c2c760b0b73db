import { dropAvatars } from '../avatars/avatars.js';
import type { Context } from '../core/context.js';
import { sql } from '../core/sql.js';
import { removeRepositories } from '../repositories/repository.jobs.js';

/** Projects removed in one transaction, with everything that belongs to them. */
const BATCH = 100;

/** Hides the group, if it is there and still marked by this very mark: one that was restored stays. */
async function startRemoval(ctx: Context, groupId: number, markedAt: Date): Promise<boolean> {
  const started = await ctx.query(sql`
    update group_settings set removal_started_at = coalesce(removal_started_at, ${ctx.clock.now()})
     where namespace_id = ${groupId} and marked_for_deletion_at = ${markedAt} returning id`);
  return started.length > 0;
}

/** Removes projects in or below a namespace, up to a hundred. @returns whether there may be more */
export async function removeProjects(ctx: Context, groupId: number): Promise<boolean> {
  const removed = await ctx.query<{ id: number; repository_created: boolean }>(sql`
    delete from projects where id in (
      select p.id from projects p join namespaces d on d.id = p.namespace_id
       where d.traversal_ids @> array[${groupId}]::bigint[] order by p.id limit ${BATCH})
    returning id as "id", repository_created as "repository_created"`);
  const repositories = removed.filter((project) => project.repository_created);
  await ctx.jobs.sendAll(
    removeRepositories,
    repositories.map((project) => ({ project_id: project.id })),
  );
  return removed.length === BATCH;
}

/**
 * Removes a marked group for good: its projects in batches, then its subgroups and itself. The repositories follow in
 * jobs of their own, once no row names them any more. Safe to repeat, and to go on with after a crash.
 */
export async function removeGroup(ctx: Context, groupId: number, markedAt: Date): Promise<void> {
  for (let more = true; more;) {
    more = await ctx.transaction(async () => {
      if (!(await startRemoval(ctx, groupId, markedAt))) return false;
      if (await removeProjects(ctx, groupId)) return true;
      const removed = await ctx.query<{ id: number }>(sql`
        delete from namespaces where traversal_ids @> array[${groupId}]::bigint[] returning id as "id"`);
      for (const { id } of removed) dropAvatars(ctx, { kind: 'group', id });
      return false;
    });
  }
}
