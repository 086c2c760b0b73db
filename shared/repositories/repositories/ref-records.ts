import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { narrow } from '../../core/database/list.js';
import type { List, OrderStep } from '../../core/database/list.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { RepositoryRef } from './repository-ref.entity.js';
import { findRef } from './repository-ref.finder.js';

/** Builds conditions on refs `r`. */
export const onRefs = expressionBuilder<Aliased<RepositoriesDatabase, { r: 'repository_refs' }>, 'r'>();

export type RefKind = 'branch' | 'tag';

/** A branch or tag in its project. */
export interface RefRecord extends RepositoryRef {
  project: ProjectRecord;
}

/** `main` to `refs/heads/main`. */
export function fullRefName(kind: RefKind, name: string): string {
  return `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`;
}

/** The order of refs `r` by name. */
export const byName: OrderStep<{ readonly name: string }> = {
  key: 'name',
  expression: onRefs.ref('r.name'),
  direction: 'asc',
  type: 'text',
  value: (ref) => ref.name,
};

/** A project's branches or tags by name, read from the index. */
export function findRefRecords(
  project: ProjectRecord,
  kind: RefKind,
  where: readonly Expression<SqlBool>[] = [],
): List<RefRecord> {
  const list: List<RefRecord> = {
    matching: onRefs
      .selectFrom('repository_refs as r')
      .where('r.project_id', '=', project.id)
      .where('r.kind', '=', constant(kind)),
    select: (query) => query.select(columns(RepositoryRef, 'r')),
    order: [byName],
    read: (row) => ({ ...row, project }),
  };
  return narrow(list, where);
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
