import { removeAvatarsOf } from '../../instance/avatars/avatar-files.js';
import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { isAtOrBelow } from '../namespaces/below.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

/** Number of projects removed in one transaction, with all their data. */
const BATCH = 100;

/** Hides the group, if it is there and still marked by this very mark: one that was restored stays. */
async function startRemoval(ctx: Context, groupId: number, markedAt: Date): Promise<boolean> {
  const started = await ctx.em
    .getKysely<TenancyDatabase>()
    .updateTable('group_settings')
    .set((eb) => ({ removal_started_at: eb.fn.coalesce('removal_started_at', eb.val(ctx.clock.now())) }))
    .where('namespace_id', '=', groupId)
    .where('marked_for_deletion_at', '=', markedAt)
    .returning('id')
    .executeTakeFirst();
  return started !== undefined;
}

/** Removes projects in or below a namespace, up to a hundred. @returns whether there may be more */
export async function removeProjects(ctx: Context, groupId: number): Promise<boolean> {
  const removed = await ctx.em
    .getKysely<TenancyDatabase>()
    .with('doomed', (db) =>
      db
        .selectFrom('projects as p')
        .innerJoin('namespaces as d', 'd.id', 'p.namespace_id')
        .innerJoin('routes as r', 'r.project_id', 'p.id')
        .select(['p.id', 'r.path'])
        .where(isAtOrBelow('d', groupId))
        .orderBy('p.id')
        .limit(BATCH),
    )
    .deleteFrom('projects as p')
    .using('doomed')
    .whereRef('p.id', '=', 'doomed.id')
    .returning(['p.id', 'p.namespace_id', 'doomed.path as full_path', 'p.repository_created'])
    .execute();
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
      const removed = await ctx.em
        .getKysely<TenancyDatabase>()
        .with('doomed', (db) =>
          db
            .selectFrom('namespaces as d')
            .innerJoin('routes as r', 'r.namespace_id', 'd.id')
            .select(['d.id', 'r.path'])
            .where(isAtOrBelow('d', groupId)),
        )
        .deleteFrom('namespaces as n')
        .using('doomed')
        .whereRef('n.id', '=', 'doomed.id')
        .returning(['n.id', 'doomed.path as full_path'])
        .execute();
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
