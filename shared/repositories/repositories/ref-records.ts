import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { RepositoryRef } from './repository-ref.entity.js';
import { findRef } from './repository-ref.finder.js';

export type RefKind = 'branch' | 'tag';

/** A branch or tag in its project. */
export interface RefRecord extends RepositoryRef {
  project: ProjectRecord;
}

/** `main` to `refs/heads/main`. */
export function fullRefName(kind: RefKind, name: string): string {
  return `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`;
}

/** A project's branches or tags by name, read from the index. */
export function refsOf(project: ProjectRecord, kind: RefKind, where: readonly Fragment[] = []): TextList<RefRecord> {
  return {
    select: textColumns(RepositoryRef, 'r'),
    from: sql`repository_refs r`,
    where: [sql`r.project_id = ${project.id}`, sql`r.kind = ${kind}`, ...where],
    order: [{ key: 'name', expression: raw('r.name'), direction: 'asc', type: 'text', value: (ref) => ref.name }],
    read: (row) => ({ ...row, project }),
  };
}

/** @throws NotFound "404 Branch Not Found" or "404 Tag Not Found" */
export async function findRefRecord(
  ctx: Context,
  project: ProjectRecord,
  kind: RefKind,
  name: string,
): Promise<RefRecord> {
  const ref = await findRef(ctx, project.id, fullRefName(kind, name));
  if (!ref) throw new NotFound(kind === 'branch' ? 'Branch' : 'Tag');
  return { ...ref, project };
}
