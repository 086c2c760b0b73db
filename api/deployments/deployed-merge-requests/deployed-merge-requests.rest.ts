import { listDeployedMergeRequests } from '../../../shared/deployments/deployed-merge-requests/deployed-merge-request.operations.js';
import { mergeRequestShape } from '../../../shared/merge-requests/merge-requests/merge-request.shape.js';
import { get } from '../../core/routes.js';

export default [
  get('/projects/:id/deployments/:deployment_id/merge_requests', listDeployedMergeRequests, {
    present: mergeRequestShape,
    paginate: 'offset',
  }),
];
