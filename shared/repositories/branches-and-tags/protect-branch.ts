import type { SignedInContext } from '../../core/context/context.js';
import { Conflict } from '../../core/values/errors.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { project } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { insertEntries, loadEntries } from '../protected-refs/access-entries.js';
import { roleEntry } from '../protected-refs/access-levels.js';
import { recordBranchEdit, recordRule } from '../protected-refs/record-rules.js';
import { findRefRecord } from '../repositories/ref-records.js';
import { insertProtectedBranch } from '../protected-refs/protect-branch.js';
import { ProtectedBranch, ProtectedBranchAccessLevel } from '../protected-refs/protected-branch.entity.js';
import { findProtectedBranchOrNull } from '../protected-refs/protected-branch.finder.js';
import type { ProtectedBranchRecord } from '../protected-refs/protected-branch.finder.js';
import { protectedBranchPolicy } from '../protected-refs/protected-ref.policy.js';
import { requireUnprotect } from '../protected-refs/unprotect-rule.js';

const branchParam = {
  branch: text()
    .describe('Name of the branch.')
    .meta({ examples: ['main'] }),
};

/** Submitted access for Developers: undefined keeps an existing rule unchanged, and limits a new one to Maintainers. */
interface Developers {
  readonly push: boolean | undefined;
  readonly merge: boolean | undefined;
}

const entryFor = (action: 'push' | 'merge', developers: boolean | undefined) => ({
  ...roleEntry(developers === true ? ACCESS_LEVELS.developer : ACCESS_LEVELS.maintainer),
  action,
});

/** Makes a rule admit exactly one role to the submitted actions, replacing all previous entries for them. */
async function editRule(
  ctx: SignedInContext,
  found: ProjectRecord,
  rule: ProtectedBranchRecord,
  developers: Developers,
): Promise<void> {
  const actions = (['push', 'merge'] as const).filter((action) => developers[action] !== undefined);
  if (actions.length === 0) return;
  await requireUnprotect(ctx, found, rule);
  const entries = (await loadEntries(ctx, 'branch', [rule.id])).get(rule.id) ?? [];
  await ctx.em.nativeDelete(ProtectedBranchAccessLevel, { protected_branch_id: rule.id, action: { $in: actions } });
  await insertEntries(
    ctx,
    'branch',
    rule,
    actions.map((action) => entryFor(action, developers[action])),
  );
  await ctx.em.nativeUpdate(ProtectedBranch, { id: rule.id }, { updated_at: ctx.clock.now() });
  await recordBranchEdit(ctx, found, { rule, entries }, rule);
}

async function createRule(
  ctx: SignedInContext,
  found: ProjectRecord,
  name: string,
  developers: Developers,
): Promise<void> {
  const rule = await insertProtectedBranch(ctx, found, {
    name,
    allow_force_push: false,
    code_owner_approval_required: false,
    entries: [entryFor('push', developers.push), entryFor('merge', developers.merge)],
  });
  if (!rule) throw new Conflict(`Protected branch '${name}' already exists`);
  await recordRule(ctx, found, 'branch', rule, 'created');
}

/** Protect a branch that there is, by its own name: the older form of protecting, which knows Developers alone. */
export const protectBranch = operation({
  name: 'protectBranch',
  summary: 'Protect a branch by its name',
  resource: project,
  can: can(protectedBranchPolicy, 'create_protected_branch'),
  kind: 'write',
  statements: 20,
  params: {
    ...branchParam,
    developers_can_push: optional(boolean()).describe('If `true`, Developers can push to the branch.'),
    developers_can_merge: optional(boolean()).describe('If `true`, Developers can merge into the branch.'),
  },
  async run(ctx, found, input) {
    const branch = await findRefRecord(ctx, found, 'branch', input.branch);
    const developers = { push: input.developers_can_push, merge: input.developers_can_merge };
    const rule = await findProtectedBranchOrNull(ctx, found, branch.name);
    if (rule) await editRule(ctx, found, rule, developers);
    else await createRule(ctx, found, branch.name, developers);
    return branch;
  },
});

/** Take the protection of a branch away that has its very name; one by a pattern stays. */
export const unprotectBranch = operation({
  name: 'unprotectBranch',
  summary: 'Unprotect a branch by its name',
  resource: project,
  can: can(protectedBranchPolicy, 'destroy_protected_branch'),
  kind: 'write',
  params: branchParam,
  async run(ctx, found, input) {
    const branch = await findRefRecord(ctx, found, 'branch', input.branch);
    const rule = await findProtectedBranchOrNull(ctx, found, branch.name);
    if (rule) {
      await requireUnprotect(ctx, found, rule);
      await recordRule(ctx, found, 'branch', rule, 'removed');
      await ctx.em.nativeDelete(ProtectedBranch, { project_id: found.id, id: rule.id });
    }
    return branch;
  },
});
