import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { out, shape } from '../../core/operations/shape.js';
import { accessEntryShape } from './access-entry.shape.js';
import { loadEntries } from './access-entries.js';
import type { RefAction } from './access-levels.js';
import type { ProtectedBranchRecord } from './protected-branch.finder.js';

const entries = load(
  ({ id }: Readonly<ProtectedBranchRecord>) => id,
  (ctx, rules) =>
    loadEntries(
      ctx,
      'branch',
      rules.map(({ id }) => id),
    ),
);

const entriesFor = (action: RefAction) => (branch: ProtectedBranchRecord, ctx: Context) =>
  (entries.of(branch, ctx) ?? []).filter((entry) => entry.action === action);

/** A protected branch (delivery-resources.md section 7). */
export const protectedBranchShape = shape<ProtectedBranchRecord>(
  'ProtectedBranch',
  {
    id: out.integer((branch) => branch.id),
    name: out.text((branch) => branch.name),
    push_access_levels: out.records(accessEntryShape, entriesFor('push')),
    merge_access_levels: out.records(accessEntryShape, entriesFor('merge')),
    unprotect_access_levels: out.records(accessEntryShape, entriesFor('unprotect')),
    allow_force_push: out.boolean((branch) => branch.allow_force_push),
    code_owner_approval_required: out.boolean((branch) => branch.code_owner_approval_required),
    inherited: out.boolean(() => false, { description: 'Set by a group above. Rules of groups do not exist here.' }),
  },
  { loads: [entries] },
);
