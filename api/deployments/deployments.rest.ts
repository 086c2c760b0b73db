import {
  createEnvironment,
  deleteEnvironment,
  getEnvironment,
  listEnvironments,
  updateEnvironment,
} from '../../shared/deployments/environments/environment.operations.js';
import { environmentSerializer } from '../../shared/deployments/environments/environment.serializer.js';
import { environmentDetails } from '../../shared/deployments/deployments/environment-details.serializer.js';
import { deleteReviewApps, reviewAppRemoval } from '../../shared/deployments/environment-stops/review-apps.js';
import { stopEnvironment } from '../../shared/deployments/environment-stops/stop-environment.js';
import { stopStale } from '../../shared/deployments/environment-stops/stop-stale.js';
import { del, get, post, put, routes } from '../core/routes.js';
import { protectedEnvironmentOperations } from '../../shared/deployments/protected-environments/protected-environment.operations.js';
import { protectedEnvironmentSerializer } from '../../shared/deployments/protected-environments/protected-environment.serializer.js';
import type { RestRoute } from '../core/routes.js';
import {
  createDeployment,
  deleteDeployment,
  getDeployment,
  listDeployments,
} from '../../shared/deployments/deployments/deployment.operations.js';
import { deploymentDetails, deploymentSerializer } from '../../shared/deployments/deployments/deployment.serializer.js';
import { approveDeployment } from '../../shared/deployments/deployments/approve-deployment.js';
import { deploymentApprovalSerializer } from '../../shared/deployments/deployment-approvals/deployment-approval.serializer.js';
import { updateDeployment } from '../../shared/deployments/deployments/update-deployment.js';
import { listDeployedMergeRequests } from '../../shared/deployments/deployed-merge-requests/deployed-merge-request.operations.js';
import { mergeRequestSerializer } from '../../shared/merge-requests/merge-requests/merge-request.serializer.js';
import { deployRightsSerializer } from '../../shared/deployments/deploy-rights/deploy-rights.serializer.js';
import { whoMayDeploy } from '../../shared/deployments/deploy-rights/who-may-deploy.js';
import {
  deleteClusterAgent,
  getClusterAgent,
  listClusterAgents,
  registerClusterAgent,
} from '../../shared/deployments/cluster-agents/cluster-agent.operations.js';
import { clusterAgentSerializer } from '../../shared/deployments/cluster-agents/cluster-agent.serializer.js';

export const environmentRoutes = routes('/projects/:id/environments', [
  get('/', listEnvironments, { present: environmentSerializer, paginate: 'offset' }),
  post('/', createEnvironment, { present: environmentSerializer, status: 201 }),
  post('/stop_stale', stopStale, {
    schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  }),
  // Nothing is scheduled by a dry run.
  del('/review_apps', deleteReviewApps, {
    present: reviewAppRemoval,
    status: ({ dryRun }) => (dryRun ? 200 : 202),
  }),
  get('/:environment_id', getEnvironment, { present: environmentDetails }),
  put('/:environment_id', updateEnvironment, { present: environmentSerializer }),
  del('/:environment_id', deleteEnvironment, { status: 204 }),
  post('/:environment_id/stop', stopEnvironment, { present: environmentSerializer }),
]);

type ProtectedEnvironmentOperations = (typeof protectedEnvironmentOperations)['project'];

/**
 * Both have the same routes, except for deletion: that of a group's protection returns the deleted record (contract
 * decision 4).
 */
const protections = ({ list, create, get: read, update }: ProtectedEnvironmentOperations): RestRoute[] => [
  get('/', list, { present: protectedEnvironmentSerializer, paginate: 'offset' }),
  post('/', create, { present: protectedEnvironmentSerializer, status: 201 }),
  get('/:name', read, { present: protectedEnvironmentSerializer }),
  put('/:name', update, { present: protectedEnvironmentSerializer }),
];

export const protectedEnvironmentRoutes = [
  ...routes('/projects/:id/protected_environments', [
    ...protections(protectedEnvironmentOperations.project),
    del('/:name', protectedEnvironmentOperations.project.remove, { status: 204 }),
  ]),
  ...routes('/groups/:id/protected_environments', [
    ...protections(protectedEnvironmentOperations.group),
    del('/:name', protectedEnvironmentOperations.group.remove, {
      present: protectedEnvironmentSerializer,
      status: 200,
    }),
  ]),
];

export const deploymentRoutes = routes('/projects/:id/deployments', [
  get('/', listDeployments, { present: deploymentSerializer, paginate: 'offset' }),
  post('/', createDeployment, { present: deploymentDetails, status: 201 }),
  get('/:deployment_id', getDeployment, { present: deploymentDetails }),
  put('/:deployment_id', updateDeployment, { present: deploymentDetails }),
  post('/:deployment_id/approval', approveDeployment, { present: deploymentApprovalSerializer, status: 201 }),
  del('/:deployment_id', deleteDeployment, { status: 204 }),
]);

export const deployedMergeRequestRoutes = [
  get('/projects/:id/deployments/:deployment_id/merge_requests', listDeployedMergeRequests, {
    present: mergeRequestSerializer,
    paginate: 'offset',
  }),
];

export const deployRightRoutes = [
  get('/projects/:id/environments/:environment_id/who_may_deploy', whoMayDeploy, { present: deployRightsSerializer }),
];

export const clusterAgentRoutes = routes('/projects/:id/cluster_agents', [
  get('/', listClusterAgents, { present: clusterAgentSerializer, paginate: 'offset' }),
  post('/', registerClusterAgent, { present: clusterAgentSerializer, status: 201 }),
  get('/:agent_id', getClusterAgent, { present: clusterAgentSerializer }),
  del('/:agent_id', deleteClusterAgent, { status: 204 }),
]);
