import type { Context } from '../../core/context/context.js';
import { Conflict, Invalid } from '../../core/values/errors.js';
import { boolean, optional, oneOfIntegers, text, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import { entriesOfPlan, entriesParam, memberProblems, newEntries } from './access-entries.js';
import type { AccessEntryInput } from './access-entries.js';
import { UNPROTECT_LEVELS } from './access-levels.js';
import { BRANCH_LEVELS } from '../../tenancy/groups/default-branch-protection.js';
import { recordRule } from './record-rules.js';
import { nameContains, ruleNameProblems } from './rule-names.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { insertProtectedBranch } from './protect-branch.js';
import { ProtectedBranch } from './protected-branch.entity.js';
import { findProtectedBranch, findProtectedBranches } from './protected-branch.finder.js';
import { protectedBranchPolicy } from './protected-ref.policy.js';
import { requireUnprotect } from './unprotect-rule.js';

const name = text()
  .describe('Name of the branch, or a pattern with `*`.')
  .meta({ examples: ['release/*'] });

/** List a project's protected branches. */
export const listProtectedBranches = operation({
  name: 'listProtectedBranches',
  summary: "List a project's protected branches",
  resource: project,
  can: can(protectedBranchPolicy, 'read_protected_branch'),
  authentication: 'resource',
  kind: 'read',
  statements: 5,
  params: { search: optional(text()).describe('Part of the name of the protected branch.') },
  run: (_ctx, found, input) =>
    Promise.resolve(findProtectedBranches(found, input.search === undefined ? [] : [nameContains(input.search)])),
});

/** Read one protected branch by its exact text. */
export const getProtectedBranch = operation({
  name: 'getProtectedBranch',
  summary: 'Read a protected branch',
  resource: project,
  can: can(protectedBranchPolicy, 'read_protected_branch'),
  authentication: 'resource',
  kind: 'read',
  statements: 4,
  params: { name },
  run: (ctx, found, input) => findProtectedBranch(ctx, found, input.name),
});

/** Actions with their default role. */
const ACTIONS = [
  { action: 'push', fallback: 40 },
  { action: 'merge', fallback: 40 },
  { action: 'unprotect', fallback: null },
] as const;

type Levels = { [A in 'push' | 'merge' | 'unprotect' as `${A}_access_level`]?: number | undefined };
type Lists = { [A in 'push' | 'merge' | 'unprotect' as `allowed_to_${A}`]?: AccessEntryInput[] | undefined };

/** The requested entries and the problems with them, for each action. */
function requested(ctx: Context, input: Levels & Lists) {
  return ACTIONS.map(({ action, fallback }) => {
    const { entries, problems } = newEntries(
      input[`${action}_access_level`],
      entriesOfPlan(ctx, 'branch', input[`allowed_to_${action}`]),
      action,
      fallback,
    );
    return { action, problems, entries: entries.map((entry) => ({ ...entry, action })) };
  });
}

/** Protect a branch, or every branch that a pattern matches. */
export const createProtectedBranch = operation({
  name: 'createProtectedBranch',
  summary: 'Protect a branch',
  resource: project,
  can: can(protectedBranchPolicy, 'create_protected_branch'),
  authentication: 'resource',
  kind: 'write',
  params: {
    name,
    push_access_level: optional(oneOfIntegers(BRANCH_LEVELS)).describe(
      'Access level of the role that may push; 40 by default.',
    ),
    merge_access_level: optional(oneOfIntegers(BRANCH_LEVELS)).describe(
      'Access level of the role that may merge; 40 by default.',
    ),
    unprotect_access_level: optional(oneOfIntegers(UNPROTECT_LEVELS)).describe(
      'Access level of the role that may unprotect the branch.',
    ),
    allowed_to_push: entriesParam(BRANCH_LEVELS).describe('Users, groups, deploy keys and roles that may push.'),
    allowed_to_merge: entriesParam(BRANCH_LEVELS).describe('Users, groups and roles that may merge.'),
    allowed_to_unprotect: entriesParam(UNPROTECT_LEVELS).describe(
      'Users, groups and roles that may unprotect the branch.',
    ),
    allow_force_push: withDefault(boolean(), false).describe(
      'If `true`, those who can push can also overwrite history.',
    ),
    code_owner_approval_required: withDefault(boolean(), false).describe(
      'If `true`, requires the approval of code owners.',
    ),
  },
  async run(ctx, found, input) {
    const plans = requested(ctx, input);
    const problems = [...ruleNameProblems(input.name), ...plans.flatMap((one) => one.problems)];
    for (const { entries, action } of plans) problems.push(...(await memberProblems(ctx, found, entries, action)));
    if (problems.length > 0) throw new Invalid(problems, 422);
    const branch = await insertProtectedBranch(ctx, found, {
      ...input,
      entries: plans.flatMap((one) => one.entries),
    });
    if (!branch) throw new Conflict(`Protected branch '${input.name}' already exists`);
    await recordRule(ctx, found, 'branch', branch, 'created');
    return branch;
  },
});

/** Take a branch's protection away. */
export const deleteProtectedBranch = operation({
  name: 'deleteProtectedBranch',
  summary: 'Unprotect a branch',
  resource: project,
  can: can(protectedBranchPolicy, 'destroy_protected_branch'),
  authentication: 'resource',
  kind: 'write',
  params: { name },
  async run(ctx, found, input) {
    const branch = await findProtectedBranch(ctx, found, input.name);
    await requireUnprotect(ctx, found, branch);
    requireUnmodified(ctx, branch);
    await recordRule(ctx, found, 'branch', branch, 'removed');
    await ctx.em.nativeDelete(ProtectedBranch, { project_id: found.id, id: branch.id });
    return branch;
  },
});
