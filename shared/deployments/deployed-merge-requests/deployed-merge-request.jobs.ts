import { queueJob } from '../../core/jobs.js';

/** Links a deployment that succeeded with the merge requests that it brought, or takes the links of one that did not. */
export const linkDeployedMergeRequests = queueJob<{ deployment_id: number }>('deployments.link_merge_requests', {
  category: 'continuous_delivery',
  expireInSeconds: 600,
});
