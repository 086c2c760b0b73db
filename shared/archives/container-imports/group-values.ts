import type { SignedInContext } from '../../core/context/context.js';
import { groupSettingValues } from '../../tenancy/groups/group.params.js';
import type { GroupSettingValues } from '../../tenancy/groups/group.params.js';
import { declaredGroupSettings } from '../../tenancy/groups/declared-group-settings.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import { declaredProblems } from '../../tenancy/namespaces/container-settings.js';
import { VISIBILITY, visibilityRank } from '../../tenancy/namespaces/visibility.js';
import { PROJECT_CREATION_LEVELS, SUBGROUP_CREATION_LEVELS, VISIBILITY_LEVELS } from '../format/group-relations.js';
import type { CleanRow } from '../staging/clean-row.js';

/** Attributes that are settings of the same name and kind here. */
const SAME = [
  'membership_lock',
  'share_with_group_lock',
  'request_access_enabled',
  'lfs_enabled',
  'require_two_factor_authentication',
  'two_factor_grace_period',
  'emails_disabled',
  'emails_enabled',
  'auto_devops_enabled',
  'mentions_disabled',
  'default_branch_protection',
  'max_artifacts_size',
] as const;

const levelOf = (levels: readonly string[], index: unknown): string | undefined =>
  typeof index === 'number' ? levels[index] : undefined;

/** Levels of protection that there are. */
const isProtection = (level: unknown) => typeof level === 'number' && level >= 0 && level <= 4;

/**
 * Settings of a group as its archive has them, as far as the importer may set them and they are possible here.
 * @param before the group's settings so far
 */
export function importedSettings(
  ctx: SignedInContext,
  attributes: CleanRow,
  before: GroupRecord['settings'] | null,
): Partial<GroupSettingValues> {
  const input: Record<string, unknown> = {};
  for (const name of SAME) if (attributes[name] !== null) input[name] = attributes[name];
  if (attributes.emails_enabled !== null) delete input.emails_disabled;
  if (!isProtection(input.default_branch_protection)) delete input.default_branch_protection;
  input.project_creation_level = levelOf(PROJECT_CREATION_LEVELS, attributes.project_creation_level);
  input.subgroup_creation_level = levelOf(SUBGROUP_CREATION_LEVELS, attributes.subgroup_creation_level);
  const values: Record<string, unknown> = groupSettingValues(ctx, input as never, before);
  for (const name of Object.keys(declaredProblems(declaredGroupSettings, values))) delete values[name];
  return values;
}

/** A subgroup keeps its visibility as far as the group above it allows (group-export-import.md section 4.2). */
export function visibilityOf(attributes: CleanRow, parent: GroupRecord): string {
  const own = VISIBILITY.find((level) => VISIBILITY_LEVELS[level] === attributes.visibility_level) ?? 'private';
  return visibilityRank(own) > visibilityRank(parent.visibility) ? parent.visibility : own;
}

/**
 * The group that an import begins with, as it is made at once: nobody sees what is not there yet, so it is private at the
 * top, and below another group as visible as that.
 */
export const newRoot = ({ name, path }: { name: string; path: string }, parent: GroupRecord | null) => ({
  name,
  path,
  visibility: parent?.visibility ?? 'private',
});
