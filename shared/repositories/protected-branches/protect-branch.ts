import type { Context } from '../../core/context.js';
import { sql, textColumns } from '../../core/sql.js';
import { insertEntries } from '../protected-refs/access-entries.js';
import { roleEntry } from '../protected-refs/access-levels.js';
import type { AccessEntry, RefAction } from '../protected-refs/access-levels.js';
import { firstPushRole, protectionOf, protectsAtAll } from '../../tenancy/groups/default-branch-protection.js';
import type { DefaultBranchProtection } from '../../tenancy/groups/default-branch-protection.js';
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
    on conflict (project_id, name) do nothing returning ${textColumns(ProtectedBranch, 'r')}`);
  if (branch) await insertEntries(ctx, 'branch', branch, rule.entries);
  return branch;
}

/** How the namespace that a project lies in protects the default branches of new projects. */
async function protectionFor(ctx: Context, project: { id: number }): Promise<DefaultBranchProtection> {
  const group = await ctx.queryOne<{ protection: DefaultBranchProtection | null }>(sql`
    select gs.default_branch_protection_defaults as "protection"
      from projects p join group_settings gs on gs.namespace_id = p.namespace_id where p.id = ${project.id}`);
  return protectionOf(group?.protection);
}

/** The role that may make the first commit of an empty project, which makes its default branch. */
export async function firstCommitRole(ctx: Context, project: { id: number }): Promise<'developer' | 'maintainer'> {
  return firstPushRole(await protectionFor(ctx, project));
}

/**
 * Protects the default branch of a new project as its group says; else Maintainers push and merge
 * (delivery-resources.md section 7).
 */
export async function protectDefaultBranch(ctx: Context, project: { id: number }, branch: string): Promise<void> {
  const protection = await protectionFor(ctx, project);
  if (!protectsAtAll(protection)) return;
  const { allowed_to_push: push, allowed_to_merge: merge, allow_force_push } = protection;
  await insertProtectedBranch(ctx, project, {
    name: branch,
    allow_force_push,
    code_owner_approval_required: false,
    entries: [
      ...push.map(({ access_level }) => ({ ...roleEntry(access_level), action: 'push' as const })),
      ...merge.map(({ access_level }) => ({ ...roleEntry(access_level), action: 'merge' as const })),
    ],
  });
}
