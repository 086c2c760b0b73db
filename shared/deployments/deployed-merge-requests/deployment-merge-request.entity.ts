import { defineEntity, timestamp, reference, relation } from '../../core/database/entity.js';
import { Deployment } from '../deployments/deployment.entity.js';
import { Environment } from '../environments/environment.entity.js';

/** A merge request that a deployment brought to its environment. */
export const DeploymentMergeRequest = defineEntity({
  name: 'DeploymentMergeRequest',
  tableName: 'deployment_merge_requests',
  properties: {
    deployment_id: relation(Deployment).primary(),
    project_id: reference(),
    environment_id: relation(Environment),
    merge_request_id: reference().primary(),
    linked_at: timestamp(),
  },
});
