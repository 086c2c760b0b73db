import { defineEntity, id, timestamp, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../projects/project.entity.js';
import { User } from '../users/user.entity.js';

/** One user's star on a project. `projects.star_count` follows by a trigger. */
export const ProjectStar = defineEntity({
  name: 'ProjectStar',
  tableName: 'project_stars',
  properties: {
    id: id(),
    project_id: relation(Project),
    user_id: relation(User),
    created_at: timestamp(),
  },
});
export type ProjectStar = InferEntity<typeof ProjectStar>;
