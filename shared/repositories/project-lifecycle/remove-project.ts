import { removeAvatarsOf } from '../../instance/avatars/avatar-files.js';
import type { Context } from '../../core/context/context.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { Project } from '../../tenancy/projects/project.entity.js';

interface Removed {
  id: number;
  namespace_id: number;
  full_path: string;
}

/**
 * Permanently removes a marked project with all its data. A separate job removes the repository, once no row refers to
 * it any longer. Does nothing if the project was restored or deleted meanwhile: idempotent.
 */
export async function removeProject(ctx: Context, projectId: number, markedAt: Date): Promise<void> {
  // Hidden first, and for good: removing a large project takes a while.
  const found: Removed | undefined = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .updateTable('projects as p')
    .from('routes as r')
    .set((eb) => ({ removal_started_at: eb.fn.coalesce('p.removal_started_at', eb.val(ctx.clock.now())) }))
    .where('p.id', '=', projectId)
    .where('p.marked_for_deletion_at', '=', markedAt)
    .whereRef('r.project_id', '=', 'p.id')
    .returning(['p.id', 'p.namespace_id', 'r.path as full_path'])
    .executeTakeFirst();
  if (!found) return;
  await ctx.transaction(async () => {
    if ((await ctx.em.nativeDelete(Project, { id: projectId })) === 0) return;
    // Also where no repository was made yet: an import may be about to.
    ctx.record({ type: 'project.removed', project: found, repository_created: true, with_namespace: false });
    await removeAvatarsOf(ctx, 'project', [projectId]);
  });
}
