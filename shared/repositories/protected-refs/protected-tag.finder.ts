import { expressionBuilder } from 'kysely';
import type { Kysely } from 'kysely';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { byId } from '../../core/database/list.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { columns } from '../../core/database/columns.js';
import type { List } from '../../core/database/list.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { ProtectedTag } from './protected-tag.entity.js';

export type ProtectedTagRecord = ProtectedTag;

/** A project's protected tags, oldest first. */
export const findProtectedTags = (project: ProjectRecord): List<ProtectedTagRecord> => ({
  matching: expressionBuilder<RepositoriesDatabase>()
    .selectFrom('protected_tags as r')
    .where('r.project_id', '=', project.id),
  select: (query) => query.select(columns(ProtectedTag, 'r')),
  order: [byId('r', 'asc')],
});

const findRule = prepareQuery(
  (db: Kysely<RepositoriesDatabase>, { project_id, name }: Placeholders<{ project_id: number; name: string }>) =>
    db
      .selectFrom('protected_tags as r')
      .select(columns(ProtectedTag, 'r'))
      .where('r.project_id', '=', project_id)
      .where('r.name', '=', name),
);

/** The rule of exactly that text: `v1.0` does not find `v*`. @throws NotFound "404 Not found" */
export async function findProtectedTag(
  ctx: Context,
  project: ProjectRecord,
  name: string,
): Promise<ProtectedTagRecord> {
  const [row] = await findRule(ctx, { project_id: project.id, name });
  if (!row) throw new NotFound();
  return row;
}
