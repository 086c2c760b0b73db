import { initialRecord, initialSettings } from '../namespaces/declared-settings.js';
import type { RecordValues } from '../namespaces/declared-settings.js';
import { declaredSettings } from './declared-settings.js';
import type { ContainerExpiration, ProjectSettings } from './project-settings.entity.js';

/** Settings that are columns of `projects`: rights and filters of lists depend on them. */
export type HotSettings = RecordValues<typeof declaredSettings>;

export type SettingColumns = Omit<
  ProjectSettings,
  'id' | 'project_id' | 'runners_token' | 'runners_token_digest' | 'import_url'
>;

/** The first branch of a repository, unless its group or its creator specifies another. */
export const MAIN_BRANCH = 'main';

const NEW_EXPIRATION: ContainerExpiration = {
  cadence: '1d',
  enabled: false,
  keep_n: 10,
  older_than: '90d',
  name_regex: '.*',
  name_regex_keep: null,
};

/**
 * Initial settings of a new project that depend neither on the instance nor on its visibility (projects.md section 4).
 */
export const NEW_HOT_SETTINGS = initialRecord(declaredSettings);

export const NEW_PROJECT_SETTINGS = {
  ...initialSettings(declaredSettings),
  container_expiration_policy: NEW_EXPIRATION,
  container_expiration_next_run_at: null,
};
