import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { deploymentSerializer } from '../../../shared/deployments/deployments/deployment.serializer.js';
import type { AreaExamples, GraphqlPair } from '../../core/area-examples.js';
import { WORK } from '../../core/world.js';
import type { World } from '../../core/world.js';

const deploymentAttributes = async (world: World, status: string) => ({
  environment: `env-${world.unique()}`,
  ref: WORK,
  sha: await world.sha(),
  tag: false,
  status,
});

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Deployment',
    serializer: deploymentSerializer as Serializer<never>,
    renamed: { user: 'triggerer' },
    restOnly: ['deployable', 'environment'],
    // In REST one deployment alone shows the first two, in a form of their own.
    graphqlOnly: ['approvals', 'approvalSummary', 'userPermissions'],
  },
];

export default {
  records: {
    '/projects/:id/deployments/:deployment_id': async (world, { id }) =>
      (await world.post(`/projects/${id}/deployments`, await deploymentAttributes(world, 'failed'))).id,
  },
  requests: {
    'POST /projects/:id/deployments': {
      namesOthers: 'a commit',
      params: { environment: (world) => `env-${world.unique()}`, ref: () => WORK, sha: (world) => world.sha() },
    },
    'PUT /projects/:id/deployments/:deployment_id': {
      namesOthers: 'a status that it has',
      params: { status: () => 'success' },
    },
  },
  graphql: {
    pairs,
    // Lists of them are queried for one environment at a time.
    alone: ['Deployment', 'DeploymentApproval', 'DeploymentApprovalSummary', 'DeploymentPermissions'],
  },
} satisfies AreaExamples;
