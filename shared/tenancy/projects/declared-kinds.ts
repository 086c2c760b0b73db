import { settingKinds } from '../namespaces/setting-kinds.js';

/**
 * Audiences within a project record, among callers who can see it: Maintainers and above; callers who may read its
 * code; all callers, for a fork; Maintainers, for a mirror.
 */
export type ProjectAudience = 'maintainers' | 'code_readers' | 'of_forks' | 'mirror_maintainers';

/** Makes the settings of projects. */
export const kind = settingKinds<ProjectAudience>();
