import { removeAvatarsOf } from '../../instance/avatars/avatar-files.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { Project } from '../../tenancy/projects/project.entity.js';

interface Removed {
  id: number;
  namespace_id: number;
  full_path: string;
}

/**
 * Removes a marked project for good, with everything that belongs to it. The repository follows in a job of its own,
 * once no row names it any more. Nothing happens to a project that was restored since, or is gone: safe to repeat.
 */
export async function removeProject(ctx: Context, projectId: number, markedAt: Date): Promise<void> {
  // Hidden first, and for good: removing a large project takes a while.
  const [found] = await ctx.query<Removed>(sql`
    update projects p set removal_started_at = coalesce(p.removal_started_at, ${ctx.clock.now()}) from routes r
     where p.id = ${projectId} and p.marked_for_deletion_at = ${markedAt} and r.project_id = p.id
    returning p.id as "id", p.namespace_id as "namespace_id", r.path as "full_path"`);
  if (!found) return;
  await ctx.transaction(async () => {
    if ((await ctx.em.nativeDelete(Project, { id: projectId })) === 0) return;
    // Also where no repository was made yet: an import may be about to.
    ctx.record({ type: 'project.removed', project: found, repository_created: true, with_namespace: false });
    await removeAvatarsOf(ctx, 'project', [projectId]);
  });
}
