import { out, shape } from '../../core/shape.js';
import { accessEntryShape } from '../protected-refs/access-entry.shape.js';
import { loadEntries } from '../protected-refs/access-entries.js';
import type { RefAction } from '../protected-refs/access-levels.js';
import type { ProtectedBranchRecord } from './protected-branch.finder.js';

const entriesFor = (branch: ProtectedBranchRecord, action: RefAction) =>
  (branch.entries ?? []).filter((entry) => entry.action === action);

/** A protected branch (delivery-resources.md section 7). */
export const protectedBranchShape = shape<ProtectedBranchRecord>(
  'ProtectedBranch',
  {
    id: out.integer((branch) => branch.id),
    name: out.text((branch) => branch.name),
    push_access_levels: out.records(accessEntryShape, (branch) => entriesFor(branch, 'push')),
    merge_access_levels: out.records(accessEntryShape, (branch) => entriesFor(branch, 'merge')),
    unprotect_access_levels: out.records(accessEntryShape, (branch) => entriesFor(branch, 'unprotect')),
    allow_force_push: out.flag((branch) => branch.allow_force_push),
    code_owner_approval_required: out.flag((branch) => branch.code_owner_approval_required),
    inherited: out.flag(() => false, { description: 'Set by a group above. Rules of groups do not exist here.' }),
  },
  {
    async load(ctx, branches) {
      const entries = await loadEntries(
        ctx,
        'branch',
        branches.map((branch) => branch.id),
      );
      for (const branch of branches) branch.entries = entries.get(branch.id) ?? [];
    },
  },
);
