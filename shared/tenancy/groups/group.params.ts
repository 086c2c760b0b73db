import type { z } from 'zod';
import { avatarParam } from '../../instance/avatars/avatars.js';
import { clearableText, boolean, integer, optional, oneOf } from '../../core/fields.js';
import { protectionGiven, branchProtectionParams } from './default-branch-protection.js';
import { SHARED_RUNNERS } from './shared-runners.js';
import type { GroupSettings } from './group-settings.entity.js';

/** Settings of a group that its makers and Owners choose (core-resources.md section 3). */
export const groupParams = {
  description: clearableText().describe('Description.'),
  visibility: optional(oneOf(['private', 'internal', 'public'])).describe('Who may see it.'),
  membership_lock: optional(boolean()).describe("Whether nobody is added to the group's projects directly."),
  share_with_group_lock: optional(boolean()).describe('Whether its projects are not shared with other groups.'),
  require_two_factor_authentication: optional(boolean()).describe('Whether members need a second factor.'),
  two_factor_grace_period: optional(integer()).describe('Hours until the second factor is enforced.'),
  project_creation_level: optional(oneOf(['noone', 'owner', 'maintainer', 'developer', 'administrator'])).describe(
    'Who may make projects in it.',
  ),
  subgroup_creation_level: optional(oneOf(['owner', 'maintainer'])).describe('Who may make subgroups.'),
  auto_devops_enabled: optional(boolean()).describe("Default of its projects' Auto DevOps."),
  emails_enabled: optional(boolean()).describe('Whether its members get mail.'),
  emails_disabled: optional(boolean()).describe('Deprecated: the opposite of emails_enabled.'),
  mentions_disabled: optional(boolean()).describe('Whether mentioning the group tells nobody.'),
  lfs_enabled: optional(boolean()).describe("Default of its projects' large file storage."),
  request_access_enabled: optional(boolean()).describe('Whether others may ask to join.'),
  default_branch: clearableText().describe('First branch of new projects; empty for the usual one.'),
  ...branchProtectionParams,
  avatar: avatarParam(),
  shared_runners_setting: optional(oneOf(SHARED_RUNNERS)).describe('Whether shared runners work for it.'),
};

type Input = z.output<z.ZodObject<typeof groupParams>> & {
  prevent_sharing_groups_outside_hierarchy?: boolean | undefined;
  max_artifacts_size?: number | null | undefined;
};

export type SettingValues = Omit<
  GroupSettings,
  'id' | 'namespace_id' | 'runners_token' | 'archived_at' | 'marked_for_deletion_at' | 'removal_started_at'
>;

export const NEW_SETTINGS: SettingValues = {
  membership_lock: false,
  share_with_group_lock: false,
  require_two_factor_authentication: false,
  two_factor_grace_period: 48,
  project_creation_level: 'developer',
  subgroup_creation_level: 'maintainer',
  auto_devops_enabled: null,
  emails_enabled: true,
  mentions_disabled: null,
  lfs_enabled: true,
  request_access_enabled: true,
  default_branch: null,
  default_branch_protection_defaults: null,
  shared_runners_setting: 'enabled',
  prevent_sharing_groups_outside_hierarchy: false,
  max_artifacts_size: null,
};

export const SETTING_NAMES = Object.keys(NEW_SETTINGS) as (keyof typeof NEW_SETTINGS & string)[];

/**
 * The settings that were sent.
 * @param before what a group has that is edited
 */
export function settingValues(input: Input, before: GroupSettings | null = null): Partial<SettingValues> {
  const protection = protectionGiven(input, before?.default_branch_protection_defaults ?? null);
  const given: Record<string, unknown> = { ...input, default_branch_protection_defaults: protection };
  // An empty name is none.
  if (input.default_branch === '') given.default_branch = null;
  if (input.emails_disabled !== undefined) given.emails_enabled ??= !input.emails_disabled;
  return Object.fromEntries(
    SETTING_NAMES.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
}
