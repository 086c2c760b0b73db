import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** How the mirror of a project fares, which follows the repository at its `import_url`. */
export const ProjectMirror = defineEntity({
  name: 'ProjectMirror',
  tableName: 'project_mirrors',
  properties: {
    id: id(),
    project_id: relation(Project),
    /** `none`, `scheduled`, `started`, `finished` or `failed`. */
    update_status: p.string(),
    /** Null if it was given up until a user requests an update. */
    next_update_at: timestamp().nullable(),
    /** In a row. */
    failures: p.integer(),
    last_error: p.string().nullable(),
    last_update_started_at: timestamp().nullable(),
    last_update_at: timestamp().nullable(),
    last_successful_update_at: timestamp().nullable(),
  },
});
export type ProjectMirror = InferEntity<typeof ProjectMirror>;
