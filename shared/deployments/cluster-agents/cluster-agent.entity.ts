import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** An agent that connects a cluster to a project. */
export const ClusterAgent = defineEntity({
  name: 'ClusterAgent',
  tableName: 'cluster_agents',
  properties: {
    id: id(),
    project_id: reference(),
    name: p.string(),
    created_by_user_id: reference().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type ClusterAgent = InferEntity<typeof ClusterAgent>;
