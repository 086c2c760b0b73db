import { defineEntity, timestamp, reference } from '../../core/database/entity.js';

/** A merge request that a deployment brought to its environment. */
export const DeploymentMergeRequest = defineEntity({
  name: 'DeploymentMergeRequest',
  tableName: 'deployment_merge_requests',
  properties: {
    deployment_id: reference().primary(),
    project_id: reference(),
    environment_id: reference(),
    merge_request_id: reference().primary(),
    linked_at: timestamp(),
  },
});
