import { out, serializer } from '../../core/operations/serializer.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { ClusterAgentRecord } from './cluster-agent.entity.js';

const configProject = serializer<ProjectRecord>('ClusterAgentProject', {
  id: out.integer((project) => project.id),
  description: out.nullableText((project) => project.description),
  name: out.text((project) => project.name),
  name_with_namespace: out.text((project) => project.full_name),
  path: out.text((project) => project.path),
  path_with_namespace: out.text((project) => project.full_path),
  created_at: out.instant((project) => project.created_at),
});

/** An agent, as in the public API. */
export const clusterAgentSerializer = serializer<ClusterAgentRecord>('ClusterAgent', {
  id: out.integer((agent) => agent.id),
  name: out.text((agent) => agent.name),
  config_project: out.record(configProject, (agent) => agent.project),
  created_at: out.instant((agent) => agent.created_at),
  created_by_user_id: out.nullableInteger((agent) => agent.created_by_user_id),
});
