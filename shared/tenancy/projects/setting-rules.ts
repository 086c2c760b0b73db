import type { Problems } from '../../core/values/errors.js';
import type { Context } from '../../core/context/context.js';
import { declaredProblems } from '../namespaces/declared-settings.js';
import { LEVELS_IN_ORDER } from './declared-features.js';
import { declaredSettings } from './declared-settings.js';
import type { HotSettings, SettingColumns } from './new-settings.js';

/**
 * Matches leading slashes and directory traversal: a file in another project is written as `path@project`, or a URL.
 */
const BAD_CONFIG_PATH = /\.\.|^\//;

/** Problems with the submitted values, by parameter. */
export function settingProblems(settings: Partial<SettingColumns>): Problems {
  const problems = declaredProblems(declaredSettings, settings);
  if (settings.ci_config_path && BAD_CONFIG_PATH.test(settings.ci_config_path))
    problems.ci_config_path = ['cannot include leading slash or directory traversal.'];
  const claims = settings.ci_id_token_sub_claim_components;
  if (claims && claims[0] !== 'project_path')
    problems.ci_id_token_sub_claim_components = ['project_path must be first'];
  return problems;
}

/** Merge requests and CI/CD are of the repository: they are never open to more people than it. */
export function levelProblems(levels: Pick<HotSettings, 'repository_access_level'> & Partial<HotSettings>): Problems {
  const rank = (level: string) => LEVELS_IN_ORDER.indexOf(level as never);
  const above = (['merge_requests_access_level', 'builds_access_level'] as const).filter(
    (name) => rank(levels[name] ?? 'disabled') > rank(levels.repository_access_level),
  );
  return Object.fromEntries(
    above.map((name) => [
      `project_feature.${name}`,
      ['cannot have higher visibility level than repository access level'],
    ]),
  );
}

/** The only repository storage. */
export const REPOSITORY_STORAGE = 'default';

const MAX_DESCRIPTION = 2000;

/**
 * Administrators may choose the storage of a repository, of which there is only one; the parameter is ignored for other
 * callers.
 */
export function storageProblems(ctx: Context, storage: string | undefined): Problems {
  if (!ctx.caller.admin || storage === undefined || storage === REPOSITORY_STORAGE) return {};
  return { repository_storage: ['is not included in the list'] };
}

/** Problems with a description. */
export function descriptionProblems(description: string | null | undefined): Problems {
  return [...(description ?? '')].length > MAX_DESCRIPTION
    ? { description: [`is too long (maximum is ${MAX_DESCRIPTION} characters)`] }
    : {};
}
