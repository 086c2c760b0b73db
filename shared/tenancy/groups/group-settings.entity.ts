import { defineEntity, id, instant, p, reference } from '../../core/entity.js';
import type { InferEntity } from '../../core/entity.js';
import type { DefaultBranchProtection } from './default-branch-protection.js';

/** What a group has beyond its namespace: kept apart, since every read of a project reads its namespace. */
export const GroupSettings = defineEntity({
  name: 'GroupSettings',
  tableName: 'group_settings',
  properties: {
    id: id(),
    namespace_id: reference(),
    /** Nobody is added to the group's projects directly. */
    membership_lock: p.boolean(),
    share_with_group_lock: p.boolean(),
    require_two_factor_authentication: p.boolean(),
    /** Hours. */
    two_factor_grace_period: p.integer(),
    /** Who makes projects: `noone`, `owner`, `maintainer`, `developer` or `administrator`. */
    project_creation_level: p.string(),
    /** Who makes subgroups: `owner` or `maintainer`. */
    subgroup_creation_level: p.string(),
    auto_devops_enabled: p.boolean().nullable(),
    emails_enabled: p.boolean(),
    mentions_disabled: p.boolean().nullable(),
    lfs_enabled: p.boolean(),
    request_access_enabled: p.boolean(),
    /** First branch of new projects. */
    default_branch: p.string().nullable(),
    /** How default branches of new projects are protected; null where the group says nothing. */
    default_branch_protection_defaults: p.json<DefaultBranchProtection>().nullable(),
    /** `enabled`, `disabled_and_overridable` or `disabled_and_unoverridable`. */
    shared_runners_setting: p.string(),
    prevent_sharing_groups_outside_hierarchy: p.boolean(),
    /** Encrypted, bound to `group_settings.runners_token:<group id>`. */
    runners_token: p.uint8array(),
    /** When it was archived itself. */
    archived_at: instant().nullable(),
    /** MiB; the instance's own limit where null. */
    max_artifacts_size: p.integer().nullable(),
    marked_for_deletion_at: instant().nullable(),
    /** From here on the group is gone for everybody, while a job removes what is in it. */
    removal_started_at: instant().nullable(),
  },
});
export type GroupSettings = InferEntity<typeof GroupSettings>;
