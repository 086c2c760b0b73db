import { z } from 'zod';
import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import { settingEntries } from '../../tenancy/namespaces/container-settings.js';
import { projectRunnersProblems } from '../../tenancy/groups/shared-runners.js';
import { visibilityRank } from '../../tenancy/namespaces/visibility.js';
import { mirrorSettings } from '../../tenancy/projects/declared-mirroring.js';
import { declaredSettings } from '../../tenancy/projects/declared-settings.js';
import { NEW_HOT_SETTINGS } from '../../tenancy/projects/new-settings.js';
import { settingParams } from '../../tenancy/projects/project.params.js';
import { descriptionProblems, levelProblems, settingProblems } from '../../tenancy/projects/setting-rules.js';
import { projectSettingValues } from '../../tenancy/projects/setting-values.js';
import type { ProjectSettingValues, SettingInput } from '../../tenancy/projects/setting-values.js';
import type { ProjectTarget } from '../../tenancy/projects/project-target.js';
import { VISIBILITY_LEVELS } from '../format/group-relations.js';
import type { CleanRow } from '../staging/clean-row.js';
import { isJsonObject } from '../read/json-lines.js';

const SETTINGS = settingEntries(declaredSettings)
  .map(([name]) => name)
  .filter((name) => !Object.hasOwn(mirrorSettings, name));

/** Settings that go before those of an archive, by the names of the API (`override_params`). */
const overrideParams = z.object(settingParams).pick({
  description: true,
  visibility: true,
  ...Object.fromEntries(SETTINGS.filter((name) => Object.hasOwn(settingParams, name)).map((name) => [name, true])),
} as { description: true; visibility: true });

type Overrides = Partial<SettingInput>;

/** What `override_params` may hold: what Maintainers choose of a project, but for where it is mirrored from. */
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
  for (const name of SETTINGS) {
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
  // What is left may be of no use together: then all of it stays as new projects have it.
  return Object.keys(levelProblems({ ...NEW_HOT_SETTINGS, ...values.hot })).length > 0
    ? { ...values, hot: {} }
    : values;
}

/** As visible as it was, or as requested, as far as its group allows. */
export function importedVisibility(
  attributes: CleanRow,
  overrides: Overrides,
  namespace: Pick<ProjectTarget, 'kind' | 'visibility'>,
): string {
  const was = Object.entries(VISIBILITY_LEVELS).find(([, level]) => level === attributes.visibility_level)?.[0];
  const requested = overrides.visibility ?? was ?? 'private';
  if (namespace.kind === 'user') return requested;
  return visibilityRank(requested) <= visibilityRank(namespace.visibility) ? requested : namespace.visibility;
}
