import { expressionBuilder } from 'kysely';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { byId } from '../../core/database/list.js';
import { columns } from '../../core/database/columns.js';
import type { List } from '../../core/database/list.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { ProtectedTag } from './protected-tag.entity.js';

export type ProtectedTagRecord = ProtectedTag;

/** A project's protected tags, oldest first. */
export const protectedTagsOf = (project: ProjectRecord): List<ProtectedTagRecord> => ({
  matching: expressionBuilder<RepositoriesDatabase>()
    .selectFrom('protected_tags as r')
    .where('r.project_id', '=', project.id),
  select: (query) => query.select(columns(ProtectedTag, 'r')),
  order: [byId('r', 'asc')],
});

/** The rule of exactly that text: `v1.0` does not find `v*`. @throws NotFound "404 Not found" */
export async function findProtectedTag(
  ctx: Context,
  project: ProjectRecord,
  name: string,
): Promise<ProtectedTagRecord> {
  const row = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('protected_tags as r')
    .select(columns(ProtectedTag, 'r'))
    .where('r.project_id', '=', project.id)
    .where('r.name', '=', name)
    .executeTakeFirst();
  if (!row) throw new NotFound();
  return row;
}
