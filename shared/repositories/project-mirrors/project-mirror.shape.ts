import { out, shape } from '../../core/shape.js';
import type { MirrorRecord } from './project-mirror.finder.js';

/** A pull mirror, as `/projects/:id/mirror/pull` answers it. */
export const projectMirror = shape<MirrorRecord>('ProjectMirror', {
  id: out.integer((mirror) => mirror.id),
  enabled: out.flag(() => true),
  url: out.maybeText((mirror) => mirror.url),
  update_status: out.text((mirror) => mirror.update_status),
  last_error: out.maybeText((mirror) => mirror.last_error),
  last_update_at: out.maybeInstant((mirror) => mirror.last_update_at),
  last_update_started_at: out.maybeInstant((mirror) => mirror.last_update_started_at),
  last_successful_update_at: out.maybeInstant((mirror) => mirror.last_successful_update_at),
  mirror_trigger_builds: out.flag((mirror) => mirror.mirror_trigger_builds),
  only_mirror_protected_branches: out.flag((mirror) => mirror.only_mirror_protected_branches),
  mirror_overwrites_diverged_branches: out.flag((mirror) => mirror.mirror_overwrites_diverged_branches),
});
