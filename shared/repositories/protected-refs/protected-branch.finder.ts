import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool, Kysely } from 'kysely';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, narrow } from '../../core/database/list.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { columns } from '../../core/database/columns.js';
import type { List } from '../../core/database/list.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { ProtectedBranch } from './protected-branch.entity.js';

export type ProtectedBranchRecord = ProtectedBranch;

/** A project's protected branches, oldest first. */
export function findProtectedBranches(
  project: ProjectRecord,
  where: readonly Expression<SqlBool>[] = [],
): List<ProtectedBranchRecord> {
  const list: List<ProtectedBranchRecord> = {
    matching: expressionBuilder<RepositoriesDatabase>()
      .selectFrom('protected_branches as r')
      .where('r.project_id', '=', project.id),
    select: (query) => query.select(columns(ProtectedBranch, 'r')),
    order: [byId('r', 'asc')],
  };
  return narrow(list, where);
}

interface RuleKey {
  readonly project_id: number;
  readonly name: string;
}

const ruleQuery = (db: Kysely<RepositoriesDatabase>, { project_id: projectId, name }: Placeholders<RuleKey>) =>
  db
    .selectFrom('protected_branches as r')
    .select(columns(ProtectedBranch, 'r'))
    .where('r.project_id', '=', projectId)
    .where('r.name', '=', name);

const findRule = prepareQuery(ruleQuery);
const lockRule = prepareQuery<RepositoriesDatabase, RuleKey, ProtectedBranch>((db, key) =>
  ruleQuery(db, key).forUpdate(),
);

/** The rule of exactly that text, or null. For a write it is locked. */
export async function findProtectedBranchOrNull(
  ctx: Context,
  project: ProjectRecord,
  name: string,
): Promise<ProtectedBranchRecord | null> {
  const [row] = await (ctx.inTransaction ? lockRule : findRule)(ctx, { project_id: project.id, name });
  return row ?? null;
}

/** The rule of exactly that text. For a write it is locked. @throws NotFound "404 Not found" */
export async function findProtectedBranch(
  ctx: Context,
  project: ProjectRecord,
  name: string,
): Promise<ProtectedBranchRecord> {
  const row = await findProtectedBranchOrNull(ctx, project, name);
  if (!row) throw new NotFound();
  return row;
}
