import { defineEntity, id, timestamp, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** One user's star on a project. `projects.star_count` follows by a trigger. */
export const ProjectStar = defineEntity({
  name: 'ProjectStar',
  tableName: 'project_stars',
  properties: {
    id: id(),
    project_id: reference(),
    user_id: reference(),
    created_at: timestamp(),
  },
});
export type ProjectStar = InferEntity<typeof ProjectStar>;
