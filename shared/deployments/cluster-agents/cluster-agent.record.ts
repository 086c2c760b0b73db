import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { ClusterAgent } from './cluster-agent.entity.js';

/** An agent with the project it belongs to. */
export interface ClusterAgentRecord extends ClusterAgent {
  project: ProjectRecord;
}
