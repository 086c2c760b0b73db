import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/**
 * Computes the bytes that the tags of a project's repositories keep, for each of them and for the project: of manifests
 * and what they refer to, each digest counted once. What no tag keeps any more counts no longer, although the registry
 * has it until its garbage is collected.
 */
export async function measureImages(ctx: Context, { project_id: id }: { project_id: number }): Promise<void> {
  await ctx.transaction(() =>
    ctx.query(sql`
      with recursive held (repository_id, digest, size) as (
        select t.repository_id, t.digest, m.size from container_tags t
          join container_manifests m on m.project_id = t.project_id and m.repository_id = t.repository_id
           and m.digest = t.digest
         where t.project_id = ${id}
        union
        select h.repository_id, part.digest, part.size from held h
          join container_manifests m on m.project_id = ${id} and m.repository_id = h.repository_id
           and m.digest = h.digest
          join container_manifest_parts part on part.project_id = ${id} and part.manifest_id = m.id
      ), blobs as (
        select h.repository_id, h.digest, max(h.size) as size from held h group by h.repository_id, h.digest
      ), measured as (
        update container_repositories c
           set size = coalesce((select sum(b.size) from blobs b where b.repository_id = c.id), 0)::bigint
         where c.project_id = ${id}
      )
      update project_statistics s
         set container_registry_size = coalesce((
           select sum(one.size) from (select max(b.size) as size from blobs b group by b.digest) one), 0)::bigint
       where s.project_id = ${id}`),
  );
}
