import { declareSettings } from '../namespaces/declared-settings.js';
import { kind } from './declared-kinds.js';

const ofMirrors = { plan: 'premium', visibleTo: 'mirror_maintainers' } as const;

/** By what rules a project follows another repository (projects.md "Import/mirror"). */
export const mirrorSettings = declareSettings({
  mirror: kind.flag(false, 'If `true`, the project is mirrored from `import_url`. Premium.', { plan: 'premium' }),
  mirror_user_id: kind.user('ID of the user to whom mirrored changes are attributed. Administrators only. Premium.', {
    ...ofMirrors,
    setBy: 'administrators',
  }),
  mirror_trigger_builds: kind.flag(false, 'If `true`, mirrored changes trigger pipelines. Premium.', ofMirrors),
  only_mirror_protected_branches: kind.flag(
    false,
    'If `true`, only protected branches are mirrored. Premium.',
    ofMirrors,
  ),
  mirror_overwrites_diverged_branches: kind.flag(
    false,
    'If `true`, diverged branches are overwritten. Premium.',
    ofMirrors,
  ),
});
