import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { ProtectedTag } from './protected-tag.entity.js';

export type ProtectedTagRecord = ProtectedTag;

/** A project's protected tags, oldest first. */
export function protectedTagsOf(project: ProjectRecord, where: readonly Fragment[] = []): TextList<ProtectedTagRecord> {
  return {
    select: textColumns(ProtectedTag, 'r'),
    from: sql`protected_tags r`,
    where: [sql`r.project_id = ${project.id}`, ...where],
    order: [byId('r', 'asc')],
  };
}

/** The rule of exactly that text: `v1.0` does not find `v*`. @throws NotFound "404 Not found" */
export async function findProtectedTag(
  ctx: Context,
  project: ProjectRecord,
  name: string,
): Promise<ProtectedTagRecord> {
  const row = await ctx.queryOne<ProtectedTagRecord>(sql`
    select ${textColumns(ProtectedTag, 'r')} from protected_tags r
     where r.project_id = ${project.id} and r.name = ${name}`);
  if (!row) throw new NotFound();
  return row;
}
