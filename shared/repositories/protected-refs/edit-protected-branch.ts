import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { anyOf, unnestedRows } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import {
  distinctEntries,
  entriesOfPlan,
  entryChangesParam,
  getAccessEntry,
  insertEntries,
  loadEntries,
  memberProblems,
  namesNobody,
} from './access-entries.js';
import type { AccessEntryInput } from './access-entries.js';
import { ENTRY_COLUMNS, ENTRY_TYPES, UNPROTECT_LEVELS } from './access-levels.js';
import { BRANCH_LEVELS } from '../../tenancy/groups/default-branch-protection.js';
import type { AccessEntry, AccessEntryRecord, RefAction } from './access-levels.js';
import { recordBranchEdit } from './record-rules.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { ProtectedBranch } from './protected-branch.entity.js';
import { findProtectedBranch } from './protected-branch.finder.js';
import { protectedBranchPolicy } from './protected-ref.policy.js';
import { requireUnprotect } from './unprotect-rule.js';

type EntryChange = AccessEntryInput & { id?: number | undefined; _destroy?: boolean | undefined };

interface Changes {
  removed: number[];
  changed: (AccessEntry & { id: number })[];
  added: AccessEntry[];
}

const isSame = (a: AccessEntry, b: AccessEntry) => ENTRY_COLUMNS.every((key) => a[key] === b[key]);

/** Sorts the changes of one action. An entry that the rule has already is not added again. */
function sortChanges(
  existing: readonly AccessEntryRecord[],
  entryChanges: readonly EntryChange[],
  action: RefAction,
): Changes {
  const changes: Changes = { removed: [], changed: [], added: [] };
  for (const { id, _destroy, ...input } of entryChanges) {
    if (id !== undefined && !existing.some((entry) => entry.id === id)) throw new NotFound();
    if (id !== undefined && _destroy === true) {
      changes.removed.push(id);
      continue;
    }
    const entry = getAccessEntry(input);
    if (entry === null) throw new Invalid([namesNobody(action)], 422);
    if (id !== undefined) changes.changed.push({ ...entry, id });
    else changes.added.push(entry);
  }
  const remaining = existing.filter((entry) => !changes.removed.includes(entry.id));
  changes.added = distinctEntries(changes.added).filter((entry) => !remaining.some((other) => isSame(other, entry)));
  return changes;
}

async function changeEntries(ctx: Context, rule: ProtectedBranch, changed: Changes['changed']) {
  if (changed.length === 0) return;
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .updateTable('protected_branch_access_levels as l')
    .from(unnestedRows(changed, { id: 'bigint', ...ENTRY_TYPES }).as('e'))
    .set((eb) => ({
      access_level: eb.ref('e.access_level'),
      user_id: eb.ref('e.user_id'),
      group_id: eb.ref('e.group_id'),
      deploy_key_id: eb.ref('e.deploy_key_id'),
    }))
    .where('l.protected_branch_id', '=', rule.id)
    .whereRef('l.id', '=', 'e.id')
    .execute();
}

async function applyChanges(
  ctx: Context,
  found: ProjectRecord,
  rule: ProtectedBranch,
  action: RefAction,
  changes: Changes,
) {
  const problems = await memberProblems(ctx, found, [...changes.changed, ...changes.added], action);
  if (problems.length > 0) throw new Invalid(problems, 422);
  if (changes.removed.length > 0)
    await ctx.em
      .getKysely<RepositoriesDatabase>()
      .deleteFrom('protected_branch_access_levels')
      .where('protected_branch_id', '=', rule.id)
      .where('id', '=', anyOf(changes.removed, 'bigint'))
      .execute();
  await changeEntries(ctx, rule, changes.changed);
  await insertEntries(
    ctx,
    'branch',
    rule,
    changes.added.map((entry) => ({ ...entry, action })),
  );
}

/**
 * Change the permissions on a protected branch: entries are added; with their id, changed; with `_destroy`, removed.
 */
export const updateProtectedBranch = operation({
  name: 'updateProtectedBranch',
  summary: 'Edit a protected branch',
  example: { allow_force_push: true },
  resource: project,
  can: can(protectedBranchPolicy, 'update_protected_branch'),
  authentication: 'resource',
  kind: 'write',
  statements: 24,
  params: {
    name: text()
      .describe('Name of the branch, or a pattern with `*`.')
      .meta({ examples: ['release/*'] }),
    allowed_to_push: entryChangesParam(BRANCH_LEVELS).describe('Users, groups, deploy keys and roles that may push.'),
    allowed_to_merge: entryChangesParam(BRANCH_LEVELS).describe('Users, groups and roles that may merge.'),
    allowed_to_unprotect: entryChangesParam(UNPROTECT_LEVELS).describe(
      'Users, groups and roles that may unprotect the branch.',
    ),
    allow_force_push: optional(boolean()).describe('If `true`, those who can push can also overwrite history.'),
    code_owner_approval_required: optional(boolean()).describe('If `true`, requires the approval of code owners.'),
  },
  async run(ctx, found, input) {
    const branch = await findProtectedBranch(ctx, found, input.name);
    await requireUnprotect(ctx, found, branch);
    const entries = (await loadEntries(ctx, 'branch', [branch.id])).get(branch.id) ?? [];
    for (const action of ['push', 'merge', 'unprotect'] as const) {
      const entryChanges = entriesOfPlan(ctx, 'branch', input[`allowed_to_${action}`]) ?? [];
      if (entryChanges.length === 0) continue;
      const existing = entries.filter((entry) => entry.action === action);
      await applyChanges(ctx, found, branch, action, sortChanges(existing, entryChanges, action));
    }
    const before = { rule: branch, entries };
    const edited = {
      allow_force_push: input.allow_force_push ?? branch.allow_force_push,
      code_owner_approval_required: input.code_owner_approval_required ?? branch.code_owner_approval_required,
      updated_at: ctx.clock.now(),
    };
    await ctx.em.nativeUpdate(ProtectedBranch, { id: branch.id }, edited);
    await recordBranchEdit(ctx, found, before, { ...branch, ...edited });
    return findProtectedBranch(ctx, found, branch.name);
  },
});
