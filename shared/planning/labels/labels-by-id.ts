import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';

/** The titles of those labels of a project and of the groups above it that have these ids; other ids name none. */
export async function labelTitlesById(
  ctx: Context,
  { id, namespace }: Pick<ProjectRecord, 'id' | 'namespace'>,
  ids: readonly number[],
): Promise<string[]> {
  const rows = await ctx.query<{ title: string }>(sql`
    select l.title as "title" from labels l
     where l.id = any(${ids}::bigint[])
       and (l.project_id = ${id} or l.namespace_id = any(${namespace.traversal_ids}::bigint[])) order by l.id`);
  return rows.map(({ title }) => title);
}
