import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { settingColumns } from '../namespaces/declared-settings.js';
import { declaredSettings } from './declared-settings.js';

/** When images of the container registry are removed; `next_run_at` is a column of its own. */
export interface ContainerExpiration {
  cadence: string;
  enabled: boolean;
  keep_n: number | null;
  older_than: string | null;
  name_regex: string | null;
  name_regex_keep: string | null;
}

/**
 * Project settings on which no permission and no list filter depends: those are columns of `projects`, which every
 * request reads. Created together with the project.
 */
export const ProjectSettings = defineEntity({
  name: 'ProjectSettings',
  tableName: 'project_settings',
  properties: {
    id: id(),
    project_id: reference(),
    ...settingColumns(declaredSettings),
    /** Encrypted, bound to `project_settings.runners_token:<project id>`. */
    runners_token: p.uint8array().nullable(),
    /** HMAC of the same token, by which it is found. */
    runners_token_digest: p.uint8array().nullable(),
    /** One value, read and written whole. */
    container_expiration_policy: p.json<ContainerExpiration>(),
    container_expiration_next_run_at: timestamp().nullable(),
    /** Encrypted, since it may hold credentials; bound to `project_settings.import_url:<project id>`. */
    import_url: p.uint8array().nullable(),
  },
});
export type ProjectSettings = InferEntity<typeof ProjectSettings>;
