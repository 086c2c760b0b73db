import type { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { avatarParam } from '../../instance/avatars/avatars.js';
import { clearableText, optional, oneOf } from '../../core/operations/fields.js';
import {
  initialSettings,
  getSettingParams,
  settingNamesWith,
  readDeclaredSettings,
} from '../namespaces/declared-settings.js';
import {
  declaredGroupSettings,
  editedGroupSettings,
  groupRunnerSettings,
  groupSettings,
} from './declared-group-settings.js';
import { readBranchProtection, branchProtectionParams } from './default-branch-protection.js';
import type { GroupSettings } from './group.entity.js';

/** Parameters common to creating and editing a group (core-resources.md section 3). */
export const groupParams = {
  description: clearableText().describe('Description of the group.'),
  visibility: optional(oneOf(['private', 'internal', 'public'])).describe('Visibility of the group.'),
  ...getSettingParams(groupSettings),
  ...branchProtectionParams,
  avatar: avatarParam(),
  ...getSettingParams(groupRunnerSettings),
};

/** What only editing takes. */
export const editedGroupParams = getSettingParams(editedGroupSettings);

type Input = z.output<z.ZodObject<typeof groupParams>> & Partial<z.output<z.ZodObject<typeof editedGroupParams>>>;

export type GroupSettingValues = Omit<
  GroupSettings,
  | 'id'
  | 'namespace_id'
  | 'runners_token'
  | 'runners_token_digest'
  | 'archived_at'
  | 'marked_for_deletion_at'
  | 'removal_started_at'
>;

export const NEW_GROUP_SETTINGS: GroupSettingValues = {
  ...initialSettings(declaredGroupSettings),
  default_branch_protection_defaults: null,
};

/** Settings that a new subgroup copies from its parent. */
export const INHERITED = settingNamesWith(declaredGroupSettings, 'inherited');

/** Settings whose changes are recorded in the audit log. */
export const AUDITED_SETTINGS = [
  ...settingNamesWith(declaredGroupSettings, 'audited'),
  'default_branch_protection_defaults',
] as const;

/**
 * The submitted settings that the caller may set.
 * @param before the current settings of an edited group
 */
export function groupSettingValues(
  ctx: Context,
  input: Input,
  before: GroupSettings | null = null,
): Partial<GroupSettingValues> {
  const protection = readBranchProtection(input, before?.default_branch_protection_defaults ?? null);
  const { settings } = readDeclaredSettings(ctx, declaredGroupSettings, input);
  return protection === undefined ? settings : { ...settings, default_branch_protection_defaults: protection };
}
