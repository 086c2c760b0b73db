import { linkDeployedMergeRequests, linkLateMergeRequest } from '../../../shared/deployments/deployments.jobs.js';
import { linkLate } from '../../../shared/deployments/deployed-merge-requests/link-late.js';
import { linkMergeRequests } from '../../../shared/deployments/deployed-merge-requests/link-merge-requests.js';
import { handler } from '../../core/handler.js';

/** Links deployments with the merge requests that they brought. */
export const linkingOfDeployments = handler({
  kind: linkDeployedMergeRequests,
  batchSize: 10,
  handle: linkMergeRequests,
});

/** Links merge requests with deployments that had them before they were known to be merged. */
export const linkingOfLateMergeRequests = handler({
  kind: linkLateMergeRequest,
  batchSize: 10,
  handle: linkLate,
});
