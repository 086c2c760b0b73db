import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { settingColumns } from '../namespaces/declared-settings.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import { declaredGroupSettings } from './declared-group-settings.js';
import type { DefaultBranchProtection } from './default-branch-protection.js';

/** Group data beyond the namespace. A separate table, because every read of a project also reads its namespace. */
export const GroupSettings = defineEntity({
  name: 'GroupSettings',
  tableName: 'group_settings',
  properties: {
    id: id(),
    namespace_id: relation(Namespace),
    ...settingColumns(declaredGroupSettings),
    /** Default branch protection of new projects; null if the group has not configured any. */
    default_branch_protection_defaults: p.json<DefaultBranchProtection>().nullable(),
    /** Encrypted, bound to `group_settings.runners_token:<group id>`. */
    runners_token: p.uint8array(),
    /** HMAC of the same token, by which it is found. */
    runners_token_digest: p.uint8array().nullable(),
    /** When it was archived itself. */
    archived_at: timestamp().nullable(),
    marked_for_deletion_at: timestamp().nullable(),
    /** From this time the group is hidden from all callers, while a job removes its contents. */
    removal_started_at: timestamp().nullable(),
  },
});
export type GroupSettings = InferEntity<typeof GroupSettings>;

/** A group as a caller sees it: with its full path, its settings, and the caller's access. */
export interface GroupRecord extends Namespace {
  full_path: string;
  full_name: string;
  access: number;
  /** Whether the caller is a member of something in or below the group. */
  below: boolean;
  settings: GroupSettings;
}
