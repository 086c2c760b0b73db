import type { Context } from '../core/context.js';
import { ACCESS_LEVELS } from '../core/policy.js';
import { columns, sql } from '../core/sql.js';
import { insertEntries } from '../protected-refs/access-entries.js';
import { roleEntry } from '../protected-refs/access-levels.js';
import type { AccessEntry, RefAction } from '../protected-refs/access-levels.js';
import { ProtectedBranch } from './protected-branch.entity.js';

export interface NewRule {
  name: string;
  allow_force_push: boolean;
  code_owner_approval_required: boolean;
  entries: readonly (AccessEntry & { action: RefAction })[];
}

/** Stores a rule with its entries, in the caller's transaction. Null when the name has one already. */
export async function insertProtectedBranch(
  ctx: Context,
  project: { id: number },
  rule: NewRule,
): Promise<ProtectedBranch | null> {
  const now = ctx.clock.now();
  const branch = await ctx.queryOne<ProtectedBranch>(sql`
    insert into protected_branches as r
      (project_id, name, allow_force_push, code_owner_approval_required, created_at, updated_at)
    values (${project.id}, ${rule.name}, ${rule.allow_force_push}, ${rule.code_owner_approval_required}, ${now}, ${now})
    on conflict (project_id, name) do nothing returning ${columns(ProtectedBranch, 'r')}`);
  if (branch) await insertEntries(ctx, 'branch', branch, rule.entries);
  return branch;
}

/** Protects the default branch of a new project: Maintainers push and merge (delivery-resources.md section 7). */
export async function protectDefaultBranch(ctx: Context, project: { id: number }, branch: string): Promise<void> {
  const maintainers = roleEntry(ACCESS_LEVELS.maintainer);
  await insertProtectedBranch(ctx, project, {
    name: branch,
    allow_force_push: false,
    code_owner_approval_required: false,
    entries: [
      { ...maintainers, action: 'push' },
      { ...maintainers, action: 'merge' },
    ],
  });
}
