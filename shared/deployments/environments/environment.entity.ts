import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { ClusterAgent } from '../cluster-agents/cluster-agent.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';

/** Where a project is deployed to. */
export const Environment = defineEntity({
  name: 'Environment',
  tableName: 'environments',
  properties: {
    id: id(),
    project_id: relation(Project),
    name: p.string(),
    /** Made from the name, for host names: at most 24 letters, digits and `-`. */
    slug: p.string(),
    external_url: p.string().nullable(),
    description: p.string().nullable(),
    /** `available`, `stopping` or `stopped`. */
    state: p.string(),
    /** `production`, `staging`, `testing`, `development` or `other`. */
    tier: p.string(),
    /** When it stops by itself; null for never. */
    auto_stop_at: timestamp().nullable(),
    /** `always`, or `with_action`: only where a job is there that stops it. */
    auto_stop_setting: p.string(),
    cluster_agent_id: relation(ClusterAgent).nullable(),
    kubernetes_namespace: p.string().nullable(),
    flux_resource_path: p.string().nullable(),
    /** Of a stopped review app: when it is removed; null for never. */
    auto_delete_at: timestamp().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Environment = InferEntity<typeof Environment>;

/** An environment with its project, as required by its policy. */
export interface EnvironmentRecord extends Environment {
  project: ProjectRecord;
}
