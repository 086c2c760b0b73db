import { load } from '../../core/context/loads.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { describeEnvironmentEntry, loadEnvironmentEntries } from './environment-entries.js';
import type { EntryKind, EnvironmentEntryRecord } from './environment-entries.js';
import type { ProtectedEnvironment } from './protected-environment.entity.js';

const getEntries = (kind: EntryKind) =>
  load(
    ({ id }: Readonly<ProtectedEnvironment>) => id,
    (ctx, found) =>
      loadEnvironmentEntries(
        ctx,
        kind,
        found.map(({ id }) => id),
      ),
  );

/** The entries of each kind: set on a record that is deleted before it is returned. */
export const entryLoads = {
  deploy_access_levels: getEntries('deploy_access_levels'),
  approval_rules: getEntries('approval_rules'),
} as const satisfies Record<EntryKind, unknown>;

const entryFields = {
  id: out.integer<EnvironmentEntryRecord>((entry) => entry.id),
  access_level: out.nullableInteger<EnvironmentEntryRecord>((entry) => entry.access_level, {
    description:
      'Access level of the entry: 30 for Developers and above, 40 for Maintainers and above, 60 for administrators; null for a user or a group.',
  }),
  access_level_description: out.text<EnvironmentEntryRecord>(describeEnvironmentEntry),
  user_id: out.nullableInteger<EnvironmentEntryRecord>((entry) => entry.user_id),
  group_id: out.nullableInteger<EnvironmentEntryRecord>((entry) => entry.group_id),
  group_inheritance_type: out.integer<EnvironmentEntryRecord>((entry) => entry.group_inheritance_type, {
    description: 'Members of the group to include: 0 for direct members, 1 for inherited members too.',
  }),
};

export const deployAccessLevelSerializer = serializer<EnvironmentEntryRecord>('DeployAccessLevel', entryFields);

export const approvalRuleSerializer = serializer<EnvironmentEntryRecord>('ApprovalRule', {
  ...entryFields,
  required_approvals: out.integer((rule) => rule.required_approvals),
});

/** A protected environment (protected-environments.md section 2). */
export const protectedEnvironmentSerializer = serializer<ProtectedEnvironment>(
  'ProtectedEnvironment',
  {
    name: out.text((found) => found.name, {
      description: 'Name of the environment for a project, or of the deployment tier for a group.',
    }),
    deploy_access_levels: out.records(
      deployAccessLevelSerializer,
      (found, ctx) => entryLoads.deploy_access_levels.of(found, ctx) ?? [],
    ),
    required_approval_count: out.integer((found) => found.required_approval_count),
    approval_rules: out.records(approvalRuleSerializer, (found, ctx) => entryLoads.approval_rules.of(found, ctx) ?? []),
  },
  { loads: [entryLoads.deploy_access_levels, entryLoads.approval_rules] },
);
