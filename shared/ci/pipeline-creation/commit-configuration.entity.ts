import { defineEntity, id, p, relation, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** Whether a commit has the configuration file that its project's setting named when it was looked up. */
export const CommitConfiguration = defineEntity({
  name: 'CommitConfiguration',
  tableName: 'ci_config_files',
  properties: {
    id: id(),
    project_id: relation(Project),
    sha: p.string(),
    path: p.string(),
    /** null for a commit without the file. */
    blob_id: p.string().nullable(),
    created_at: timestamp(),
  },
});
export type CommitConfiguration = InferEntity<typeof CommitConfiguration>;
