import { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import { declaredGroupSettings } from '../../tenancy/groups/declared-group-settings.js';
import { groupSettingValues } from '../../tenancy/groups/group.params.js';
import type { GroupSettingValues } from '../../tenancy/groups/group.params.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { projectRunnersProblems } from '../../tenancy/groups/shared-runners.js';
import { declaredProblems } from '../../tenancy/namespaces/declared-settings.js';
import { VISIBILITY, visibilityRank } from '../../tenancy/namespaces/namespace.entity.js';
import { NEW_HOT_SETTINGS } from '../../tenancy/projects/new-settings.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import { settingParams } from '../../tenancy/projects/project.params.js';
import { descriptionProblems, levelProblems, settingProblems } from '../../tenancy/projects/setting-rules.js';
import { projectSettingValues } from '../../tenancy/projects/setting-values.js';
import type { ProjectSettingValues, SettingInput } from '../../tenancy/projects/setting-values.js';
import { PROJECT_CREATION_LEVELS, SUBGROUP_CREATION_LEVELS, VISIBILITY_LEVELS } from '../format/group-relations.js';
import { PROJECT_SETTINGS } from '../format/project-relations.js';
import { isJsonObject } from '../read/json-lines.js';
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

const getLevel = (levels: readonly string[], index: unknown): string | undefined =>
  typeof index === 'number' ? levels[index] : undefined;

type GroupSettingInput = Parameters<typeof groupSettingValues>[1];

/** Levels of protection that there are. */
const isProtection = (level: unknown) => typeof level === 'number' && level >= 0 && level <= 4;

/**
 * Settings of a group as its archive has them, as far as the importer may set them and they are possible here.
 * @param before the group's settings so far
 */
export function importedGroupSettings(
  ctx: SignedInContext,
  attributes: CleanRow,
  before: GroupRecord['settings'] | null,
): Partial<GroupSettingValues> {
  const input: Record<string, unknown> = {};
  for (const name of SAME) if (attributes[name] !== null) input[name] = attributes[name];
  if (attributes.emails_enabled !== null) delete input.emails_disabled;
  if (!isProtection(input.default_branch_protection)) delete input.default_branch_protection;
  input.project_creation_level = getLevel(PROJECT_CREATION_LEVELS, attributes.project_creation_level);
  input.subgroup_creation_level = getLevel(SUBGROUP_CREATION_LEVELS, attributes.subgroup_creation_level);
  const values: Record<string, unknown> = groupSettingValues(ctx, input as GroupSettingInput, before);
  for (const name of Object.keys(declaredProblems(declaredGroupSettings, values))) delete values[name];
  return values;
}

/**
 * Attributes of the root group of an import, which is created immediately: it is private at the top level, so that
 * unfinished content is not exposed, and otherwise has the visibility of its parent.
 */
export const newRoot = ({ name, path }: { name: string; path: string }, parent: GroupRecord | null) => ({
  name,
  path,
  visibility: parent?.visibility ?? 'private',
});

/** Settings that override those of an archive, by their API names (`override_params`). */
const overrideParams = z.object(settingParams).pick({
  description: true,
  visibility: true,
  ...Object.fromEntries(
    PROJECT_SETTINGS.filter((name) => Object.hasOwn(settingParams, name)).map((name) => [name, true]),
  ),
} as { description: true; visibility: true });

type Overrides = Partial<SettingInput>;

/** Allowed contents of `override_params`: project settings available to Maintainers, except the mirror source. */
export const overridesParam = () => overrideParams.partial();

/** @throws Invalid for a setting that is not possible */
export function requireOverrides(ctx: SignedInContext, overrides: Overrides): void {
  const { hot, settings } = projectSettingValues(ctx, overrides as SettingInput);
  const problems: Problems = {
    ...descriptionProblems(overrides.description),
    ...settingProblems(settings),
    ...levelProblems({ ...NEW_HOT_SETTINGS, ...hot }),
  };
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Settings of an archive that the API accepts, each checked by itself. */
function archivedSettings(value: unknown): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  if (!isJsonObject(value)) return input;
  for (const name of PROJECT_SETTINGS) {
    const setting = Object.hasOwn(value, name) ? value[name] : null;
    const param = (settingParams as Record<string, z.ZodType>)[name];
    const read = setting === null || !param ? null : param.safeParse(setting);
    if (read?.success && read.data !== undefined) input[name] = read.data;
  }
  return input;
}

/**
 * Settings of a project as its archive and the importer's overrides have them, as far as the importer may set them and
 * they are possible in its namespace.
 */
export function importedProjectSettings(
  ctx: SignedInContext,
  attributes: CleanRow,
  overrides: Overrides,
  sharedRunners: string | null,
): ProjectSettingValues {
  const input = { ...archivedSettings(attributes.settings), ...overrides };
  const values = projectSettingValues(ctx, input as SettingInput);
  const all = { ...NEW_HOT_SETTINGS, ...values.hot };
  const bad = [
    ...Object.keys(settingProblems(values.settings)),
    ...Object.keys(projectRunnersProblems(values.settings.shared_runners_enabled, sharedRunners)),
    ...Object.keys(levelProblems(all)).map((name) => name.replace('project_feature.', '')),
  ];
  for (const name of bad) {
    delete (values.settings as Record<string, unknown>)[name];
    delete (values.hot as Record<string, unknown>)[name];
  }
  // The remaining values may be an invalid combination: then new-project defaults are used for all of them.
  return Object.keys(levelProblems({ ...NEW_HOT_SETTINGS, ...values.hot })).length > 0
    ? { ...values, hot: {} }
    : values;
}

/** The name of a visibility level; undefined for none. */
const visibilityName = (level: unknown) => VISIBILITY.find((name) => VISIBILITY_LEVELS[name] === level);

const atMost = (visibility: string, most: string): string =>
  visibilityRank(visibility) > visibilityRank(most) ? most : visibility;

/** A subgroup keeps its visibility as far as the group above it allows (group-export-import.md section 4.2). */
export const importedGroupVisibility = (attributes: CleanRow, parent: GroupRecord): string =>
  atMost(visibilityName(attributes.visibility_level) ?? 'private', parent.visibility);

/** The visibility of an imported project: as requested or as exported, limited by its group. */
export function importedProjectVisibility(
  attributes: CleanRow,
  overrides: Overrides,
  namespace: Pick<ProjectTarget, 'kind' | 'visibility'>,
): string {
  const visibility = overrides.visibility ?? visibilityName(attributes.visibility_level) ?? 'private';
  return namespace.kind === 'user' ? visibility : atMost(visibility, namespace.visibility);
}
