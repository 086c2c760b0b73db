import { out, shape } from '../../core/shape.js';
import type { MirrorRecord } from './project-mirror.finder.js';

/** A pull mirror, as `/projects/:id/mirror/pull` answers it. */
export const projectMirror = shape<MirrorRecord>('ProjectMirror', {
  id: out.integer((mirror) => mirror.id),
  enabled: out.boolean(() => true),
  url: out.nullableText((mirror) => mirror.url),
  update_status: out.text((mirror) => mirror.update_status),
  last_error: out.nullableText((mirror) => mirror.last_error),
  last_update_at: out.nullableInstant((mirror) => mirror.last_update_at),
  last_update_started_at: out.nullableInstant((mirror) => mirror.last_update_started_at),
  last_successful_update_at: out.nullableInstant((mirror) => mirror.last_successful_update_at),
  mirror_trigger_builds: out.boolean((mirror) => mirror.mirror_trigger_builds),
  only_mirror_protected_branches: out.boolean((mirror) => mirror.only_mirror_protected_branches),
  mirror_overwrites_diverged_branches: out.boolean((mirror) => mirror.mirror_overwrites_diverged_branches),
});
