import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import type { TextList } from '../../core/list.js';
import { byId } from '../../core/list.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { ProtectedBranch } from './protected-branch.entity.js';

export type ProtectedBranchRecord = ProtectedBranch;

/** A project's protected branches, oldest first. */
export function protectedBranchesOf(
  project: ProjectRecord,
  where: readonly Fragment[] = [],
): TextList<ProtectedBranchRecord> {
  return {
    select: textColumns(ProtectedBranch, 'r'),
    from: sql`protected_branches r`,
    where: [sql`r.project_id = ${project.id}`, ...where],
    order: [byId('r', 'asc')],
  };
}

/** The rule of exactly that text, or null. For a write it is locked. */
export function lookUpProtectedBranch(
  ctx: Context,
  project: ProjectRecord,
  name: string,
): Promise<ProtectedBranchRecord | null> {
  return ctx.queryOne<ProtectedBranchRecord>(sql`
    select ${textColumns(ProtectedBranch, 'r')} from protected_branches r
     where r.project_id = ${project.id} and r.name = ${name} ${ctx.inTransaction ? sql`for update` : sql``}`);
}

/** The rule of exactly that text. For a write it is locked. @throws NotFound "404 Not found" */
export async function findProtectedBranch(
  ctx: Context,
  project: ProjectRecord,
  name: string,
): Promise<ProtectedBranchRecord> {
  const row = await lookUpProtectedBranch(ctx, project, name);
  if (!row) throw new NotFound();
  return row;
}
