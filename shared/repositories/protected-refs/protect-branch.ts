import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import { byDefault } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { insertEntries } from './access-entries.js';
import { roleEntry } from './access-levels.js';
import type { AccessEntry, RefAction } from './access-levels.js';
import { firstPushRole, getBranchProtection, protectsAtAll } from '../../tenancy/groups/default-branch-protection.js';
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
  const { name, allow_force_push, code_owner_approval_required } = rule;
  const settings = { allow_force_push, code_owner_approval_required };
  const branch = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .insertInto('protected_branches')
    .values({ project_id: project.id, name, name_pattern: byDefault(), ...settings, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .returning(columns(ProtectedBranch, 'protected_branches'))
    .executeTakeFirst();
  if (branch) await insertEntries(ctx, 'branch', branch, rule.entries);
  return branch ?? null;
}

/** How the namespace that a project lies in protects the default branches of new projects. */
async function protectionFor(ctx: Context, project: { id: number }): Promise<DefaultBranchProtection> {
  const group = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('projects as p')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'p.namespace_id')
    .select('gs.default_branch_protection_defaults as protection')
    .where('p.id', '=', project.id)
    .executeTakeFirst();
  return getBranchProtection(group?.protection);
}

/** The role that may make the first commit of an empty project, which makes its default branch. */
export async function firstCommitRole(ctx: Context, project: { id: number }): Promise<'developer' | 'maintainer'> {
  return firstPushRole(await protectionFor(ctx, project));
}

/**
 * Protects the default branch of a new project as configured by its group; by default Maintainers can push and merge
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
