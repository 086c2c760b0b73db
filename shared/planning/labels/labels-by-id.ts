import type { Context } from '../../core/context/context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { Label } from './label.entity.js';

/** The titles of those labels of a project and of the groups above it that have these ids; other ids name none. */
export async function labelTitlesById(
  ctx: Context,
  { id, namespace }: Pick<ProjectRecord, 'id' | 'namespace'>,
  ids: readonly number[],
): Promise<string[]> {
  const labels = await ctx.em.find(
    Label,
    { id: { $in: [...ids] }, $or: [{ project_id: id }, { namespace_id: { $in: namespace.traversal_ids } }] },
    { fields: ['title'], orderBy: { id: 'asc' } },
  );
  return labels.map(({ title }) => title);
}
