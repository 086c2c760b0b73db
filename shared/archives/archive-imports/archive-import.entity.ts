import { defineEntity, id, timestamp, p, reference } from '../../core/entity.js';
import type { InferEntity } from '../../core/entity.js';

/** The making of a group, or of a project, out of an archive. */
export const ArchiveImport = defineEntity({
  name: 'ArchiveImport',
  tableName: 'archive_imports',
  properties: {
    id: id(),
    /** The group that is made, or that the project lies in. */
    namespace_id: reference(),
    project_id: reference().nullable(),
    /** Who asked for it; null once they are gone. */
    user_id: reference().nullable(),
    /** The archive; null once it is not needed any more. */
    object_id: reference().nullable(),
    /** `created`, `started`, `finished` or `failed`. */
    status: p.string(),
    /** `waiting`, `reading`, `restoring` or `done`. */
    phase: p.string(),
    /** Tries so far. */
    attempts: p.integer(),
    last_error: p.string().nullable(),
    /** Settings of a project that go before the archive's; null for none. */
    overrides: p.json<Record<string, unknown>>().nullable(),
    created_at: timestamp(),
    started_at: timestamp().nullable(),
    finished_at: timestamp().nullable(),
  },
});
export type ArchiveImport = InferEntity<typeof ArchiveImport>;
