import { settingKinds } from '../namespaces/setting-kinds.js';

/**
 * Whom the record of a project tells apart, beside those who see it at all: Maintainers and above; whoever may read its
 * code; everybody, of a fork; Maintainers, of a mirror.
 */
export type ProjectAudience = 'maintainers' | 'code_readers' | 'of_forks' | 'mirror_maintainers';

/** Makes the settings of projects. */
export const kind = settingKinds<ProjectAudience>();
