import { queueJob } from '../../core/context/jobs.js';

/** Links a deployment that succeeded with the merge requests that it brought, or takes the links of one that did not. */
export const linkDeployedMergeRequests = queueJob<{ deployment_id: number }>('deployments.link_merge_requests', {
  category: 'continuous_delivery',
  expireInSeconds: 600,
});

/** Links a merge request with deployments that had it before it was recorded that it is merged. */
export const linkLateMergeRequest = queueJob<{ merge_request_id: number }>('deployments.link_late_merge_request', {
  category: 'continuous_delivery',
  expireInSeconds: 600,
});
