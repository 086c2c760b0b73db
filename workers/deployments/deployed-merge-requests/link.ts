import { linkDeployedMergeRequests } from '../../../shared/deployments/deployed-merge-requests/deployed-merge-request.jobs.js';
import { linkMergeRequests } from '../../../shared/deployments/deployed-merge-requests/link-merge-requests.js';
import { handler } from '../../core/handler.js';

/** Links deployments with the merge requests that they brought. */
export const linkingOfDeployments = handler({
  kind: linkDeployedMergeRequests,
  batchSize: 10,
  handle: linkMergeRequests,
});
