import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

/** An agent that connects a cluster to a project. */
export const ClusterAgent = defineEntity({
  name: 'ClusterAgent',
  tableName: 'cluster_agents',
  properties: {
    id: id(),
    project_id: relation(Project),
    name: p.string(),
    created_by_user_id: relation(User).nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ClusterAgent = InferEntity<typeof ClusterAgent>;

/** An agent with the project it belongs to. */
export interface ClusterAgentRecord extends ClusterAgent {
  project: ProjectRecord;
}
