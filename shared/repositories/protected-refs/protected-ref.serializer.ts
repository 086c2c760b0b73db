import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { describeEntry } from './access-levels.js';
import type { AccessEntryRecord, RefAction } from './access-levels.js';
import { loadEntries } from './access-entries.js';
import type { ProtectedBranchRecord } from './protected-branch.finder.js';
import type { ProtectedTagRecord } from './protected-tag.finder.js';

/** One entry of a protected branch or tag (protected-tags.md section 2). A deploy key shows as Maintainer. */
const accessEntrySerializer = serializer<AccessEntryRecord>('RefAccessLevel', {
  id: out.integer((entry) => entry.id),
  access_level: out.nullableInteger((entry) =>
    entry.deploy_key_id === null ? entry.access_level : ACCESS_LEVELS.maintainer,
  ),
  access_level_description: out.text(describeEntry),
  user_id: out.nullableInteger((entry) => entry.user_id),
  group_id: out.nullableInteger((entry) => entry.group_id),
  deploy_key_id: out.integer((entry) => entry.deploy_key_id ?? undefined, { optional: true }),
});

const branchEntries = load(
  ({ id }: Readonly<ProtectedBranchRecord>) => id,
  (ctx, rules) =>
    loadEntries(
      ctx,
      'branch',
      rules.map(({ id }) => id),
    ),
);

const entriesFor = (action: RefAction) => (branch: ProtectedBranchRecord, ctx: Context) =>
  (branchEntries.of(branch, ctx) ?? []).filter((entry) => entry.action === action);

/** A protected branch (delivery-resources.md section 7). */
export const protectedBranchSerializer = serializer<ProtectedBranchRecord>(
  'ProtectedBranch',
  {
    id: out.integer((branch) => branch.id),
    name: out.text((branch) => branch.name),
    push_access_levels: out.records(accessEntrySerializer, entriesFor('push')),
    merge_access_levels: out.records(accessEntrySerializer, entriesFor('merge')),
    unprotect_access_levels: out.records(accessEntrySerializer, entriesFor('unprotect')),
    allow_force_push: out.boolean((branch) => branch.allow_force_push),
    code_owner_approval_required: out.boolean((branch) => branch.code_owner_approval_required),
    inherited: out.boolean(() => false, {
      description: 'Indicates the protection is set by an ancestor group. Rules of groups do not exist here.',
    }),
  },
  { loads: [branchEntries] },
);

const tagEntries = load(
  ({ id }: Readonly<ProtectedTagRecord>) => id,
  (ctx, rules) =>
    loadEntries(
      ctx,
      'tag',
      rules.map(({ id }) => id),
    ),
);

/** A protected tag (protected-tags.md section 2): it has no id and no times. */
export const protectedTagSerializer = serializer<ProtectedTagRecord>(
  'ProtectedTag',
  {
    name: out.text((tag) => tag.name),
    create_access_levels: out.records(accessEntrySerializer, (tag, ctx) => tagEntries.of(tag, ctx) ?? []),
  },
  { loads: [tagEntries] },
);
