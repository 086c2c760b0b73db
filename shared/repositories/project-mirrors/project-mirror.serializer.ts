import { out, serializer } from '../../core/operations/serializer.js';
import type { MirrorRecord, MirrorSettings } from './project-mirror.finder.js';

const fields = {
  enabled: out.boolean<MirrorSettings>((mirror) => mirror.mirror),
  url: out.nullableText<MirrorSettings>((mirror) => mirror.url),
  update_status: out.text<MirrorSettings>((mirror) => mirror.update_status ?? 'none'),
  last_error: out.nullableText<MirrorSettings>((mirror) => mirror.last_error),
  last_update_at: out.nullableInstant<MirrorSettings>((mirror) => mirror.last_update_at),
  last_update_started_at: out.nullableInstant<MirrorSettings>((mirror) => mirror.last_update_started_at),
  last_successful_update_at: out.nullableInstant<MirrorSettings>((mirror) => mirror.last_successful_update_at),
  mirror_trigger_builds: out.boolean<MirrorSettings>((mirror) => mirror.mirror_trigger_builds),
  only_mirror_protected_branches: out.boolean<MirrorSettings>((mirror) => mirror.only_mirror_protected_branches),
  mirror_overwrites_diverged_branches: out.boolean<MirrorSettings>(
    (mirror) => mirror.mirror_overwrites_diverged_branches,
  ),
};

/** A pull mirror, as `/projects/:id/mirror/pull` answers it. */
export const projectMirror = serializer<MirrorRecord>('ProjectMirror', {
  id: out.integer((mirror) => mirror.id),
  ...fields,
});

/** How a project is mirrored, or would be if it were: without a mirror there is no id and no update. */
export const projectMirrorSettings = serializer<MirrorSettings>('ProjectMirrorSettings', {
  id: out.nullableInteger((mirror) => mirror.id),
  ...fields,
});
