import type { Problems } from '../../core/errors.js';
import type { Context } from '../../core/context.js';
import { LEVELS_IN_ORDER } from './feature-params.js';
import type { HotSettings, SettingColumns } from './new-settings.js';
import { REPOSITORY_STORAGE } from '../project-lists/project-state-filters.js';

/** Characters at most. */
const LENGTHS: Partial<Record<keyof SettingColumns, number>> = {
  ci_config_path: 255,
  suggestion_commit_message: 255,
  merge_commit_template: 500,
  squash_commit_template: 500,
  issue_branch_template: 255,
  issues_template: 65_535,
  merge_requests_template: 65_535,
  external_authorization_classification_label: 255,
  build_coverage_regex: 255,
};

interface Range {
  low: number;
  high: number;
  /** In the public API's words; else of each end. */
  message?: string;
}

/** The largest number that a column holds. */
const MOST = 2 ** 31 - 1;

const RANGES: Partial<Record<keyof SettingColumns, Range>> = {
  build_timeout: { low: 600, high: 2_592_000 - 1, message: 'needs to be between 10 minutes and 1 month' },
  ci_default_git_depth: { low: 0, high: 1000 },
  ci_delete_pipelines_in_seconds: { low: 86_400, high: 31_536_000 },
  approvals_before_merge: { low: 0, high: MOST },
  max_artifacts_size: { low: 1, high: MOST },
  runner_token_expiration_interval: { low: 7200, high: MOST },
};

function rangeProblem(value: number, { low, high, message }: Range): string | null {
  if (value >= low && value <= high) return null;
  return message ?? (value < low ? `must be greater than or equal to ${low}` : `must be less than or equal to ${high}`);
}

/** A configuration in another place is `path@project`, or a URL. */
const BAD_CONFIG_PATH = /\.\.|^\//;

/** What is wrong with the values that were sent, by the parameter that holds them. */
export function settingProblems(settings: Partial<SettingColumns>): Problems {
  const problems: Problems = {};
  for (const [name, value] of Object.entries(settings)) {
    const key = name as keyof SettingColumns;
    const most = LENGTHS[key];
    const range = RANGES[key];
    const problem =
      typeof value === 'string' && most !== undefined && [...value].length > most
        ? `is too long (maximum is ${most} characters)`
        : typeof value === 'number' && range
          ? rangeProblem(value, range)
          : null;
    if (problem) problems[name] = [problem];
  }
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

const MAX_DESCRIPTION = 2000;

/** Administrators may say where a repository lies, and there is one place; from others it is ignored. */
export function storageProblems(ctx: Context, storage: string | undefined): Problems {
  if (!ctx.caller.admin || storage === undefined || storage === REPOSITORY_STORAGE) return {};
  return { repository_storage: ['is not included in the list'] };
}

/** What is wrong with a description. */
export function descriptionProblems(description: string | null | undefined): Problems {
  return [...(description ?? '')].length > MAX_DESCRIPTION
    ? { description: [`is too long (maximum is ${MAX_DESCRIPTION} characters)`] }
    : {};
}
