import { declareSettings } from '../namespaces/container-settings.js';
import { kind } from './declared-kinds.js';

const ofMirrors = { plan: 'premium', visibleTo: 'mirror_maintainers' } as const;

/** By what rules a project follows another repository (projects.md "Import/mirror"). */
export const mirrorSettings = declareSettings({
  mirror: kind.flag(false, 'Whether it is mirrored from import_url. Premium.', { plan: 'premium' }),
  mirror_user_id: kind.user('Who the mirrored changes are attributed to. Administrators; Premium.', {
    ...ofMirrors,
    setBy: 'administrators',
  }),
  mirror_trigger_builds: kind.flag(false, 'Whether mirrored changes start pipelines. Premium.', ofMirrors),
  only_mirror_protected_branches: kind.flag(false, 'Whether only protected branches are mirrored. Premium.', ofMirrors),
  mirror_overwrites_diverged_branches: kind.flag(
    false,
    'Whether branches that went other ways are overwritten. Premium.',
    ofMirrors,
  ),
});
