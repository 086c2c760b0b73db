import {
  createEnvironment,
  deleteEnvironment,
  getEnvironment,
  listEnvironments,
  updateEnvironment,
} from '../../shared/deployments/environments/environment.operations.js';
import { environmentShape } from '../../shared/deployments/environments/environment.shape.js';
import { environmentDetails } from '../../shared/deployments/deployments/environment-details.shape.js';
import { deleteReviewApps, reviewAppRemoval } from '../../shared/deployments/environment-stops/review-apps.js';
import { stopEnvironment } from '../../shared/deployments/environment-stops/stop-environment.js';
import { stopStale } from '../../shared/deployments/environment-stops/stop-stale.js';
import { del, get, post, put, routes } from '../core/routes.js';
import { protectedEnvironmentOperations } from '../../shared/deployments/protected-environments/protected-environment.operations.js';
import { protectedEnvironmentShape } from '../../shared/deployments/protected-environments/protected-environment.shape.js';
import type { RestRoute } from '../core/routes.js';
import {
  createDeployment,
  deleteDeployment,
  getDeployment,
  listDeployments,
} from '../../shared/deployments/deployments/deployment.operations.js';
import { deploymentDetails, deploymentShape } from '../../shared/deployments/deployments/deployment.shape.js';
import { approveDeployment } from '../../shared/deployments/deployments/approve-deployment.js';
import { deploymentApprovalShape } from '../../shared/deployments/deployment-approvals/deployment-approval.shape.js';
import { updateDeployment } from '../../shared/deployments/deployments/update-deployment.js';
import { listDeployedMergeRequests } from '../../shared/deployments/deployed-merge-requests/deployed-merge-request.operations.js';
import { mergeRequestShape } from '../../shared/merge-requests/merge-requests/merge-request.shape.js';
import { deployRightsShape } from '../../shared/deployments/deploy-rights/deploy-rights.shape.js';
import { whoMayDeploy } from '../../shared/deployments/deploy-rights/who-may-deploy.js';
import {
  deleteClusterAgent,
  getClusterAgent,
  listClusterAgents,
  registerClusterAgent,
} from '../../shared/deployments/cluster-agents/cluster-agent.operations.js';
import { clusterAgentShape } from '../../shared/deployments/cluster-agents/cluster-agent.shape.js';

const environmentRoutes = routes('/projects/:id/environments', [
  get('/', listEnvironments, { present: environmentShape, paginate: 'offset' }),
  post('/', createEnvironment, { present: environmentShape, status: 201 }),
  post('/stop_stale', stopStale, {
    schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  }),
  // Nothing is scheduled by a dry run.
  del('/review_apps', deleteReviewApps, {
    present: reviewAppRemoval,
    status: ({ dryRun }) => (dryRun ? 200 : 202),
  }),
  get('/:environment_id', getEnvironment, { present: environmentDetails }),
  put('/:environment_id', updateEnvironment, { present: environmentShape }),
  del('/:environment_id', deleteEnvironment, { status: 204 }),
  post('/:environment_id/stop', stopEnvironment, { present: environmentShape }),
]);

type ProtectedEnvironmentOperations = (typeof protectedEnvironmentOperations)['project'];

/** Both answer alike, but for the end of a protection: that of a group is answered with what it was (contract decision 4). */
const protections = ({ list, create, get: read, update }: ProtectedEnvironmentOperations): RestRoute[] => [
  get('/', list, { present: protectedEnvironmentShape, paginate: 'offset' }),
  post('/', create, { present: protectedEnvironmentShape, status: 201 }),
  get('/:name', read, { present: protectedEnvironmentShape }),
  put('/:name', update, { present: protectedEnvironmentShape }),
];

const protectedEnvironmentRoutes = [
  ...routes('/projects/:id/protected_environments', [
    ...protections(protectedEnvironmentOperations.project),
    del('/:name', protectedEnvironmentOperations.project.remove, { status: 204 }),
  ]),
  ...routes('/groups/:id/protected_environments', [
    ...protections(protectedEnvironmentOperations.group),
    del('/:name', protectedEnvironmentOperations.group.remove, { present: protectedEnvironmentShape, status: 200 }),
  ]),
];

const deploymentRoutes = routes('/projects/:id/deployments', [
  get('/', listDeployments, { present: deploymentShape, paginate: 'offset' }),
  post('/', createDeployment, { present: deploymentDetails, status: 201 }),
  get('/:deployment_id', getDeployment, { present: deploymentDetails }),
  put('/:deployment_id', updateDeployment, { present: deploymentDetails }),
  post('/:deployment_id/approval', approveDeployment, { present: deploymentApprovalShape, status: 201 }),
  del('/:deployment_id', deleteDeployment, { status: 204 }),
]);

const deployedMergeRequestRoutes = [
  get('/projects/:id/deployments/:deployment_id/merge_requests', listDeployedMergeRequests, {
    present: mergeRequestShape,
    paginate: 'offset',
  }),
];

const deployRightRoutes = [
  get('/projects/:id/environments/:environment_id/who_may_deploy', whoMayDeploy, { present: deployRightsShape }),
];

const clusterAgentRoutes = routes('/projects/:id/cluster_agents', [
  get('/', listClusterAgents, { present: clusterAgentShape, paginate: 'offset' }),
  post('/', registerClusterAgent, { present: clusterAgentShape, status: 201 }),
  get('/:agent_id', getClusterAgent, { present: clusterAgentShape }),
  del('/:agent_id', deleteClusterAgent, { status: 204 }),
]);
