import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { deploymentSerializer } from '../../../shared/deployments/deployments/deployment.serializer.js';
import type { AreaExamples, GraphqlPair } from '../../core/area-examples.js';
import { WORK } from '../../core/sandbox.js';
import type { Sandbox } from '../../core/sandbox.js';

const deploymentAttributes = async (sandbox: Sandbox, status: string) => ({
  environment: `env-${sandbox.unique()}`,
  ref: WORK,
  sha: await sandbox.sha(),
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
    '/projects/:id/deployments/:deployment_id': async (sandbox, { id }) =>
      (await sandbox.post(`/projects/${id}/deployments`, await deploymentAttributes(sandbox, 'failed'))).id,
  },
  requests: {
    'POST /projects/:id/deployments': {
      namesOthers: 'a commit',
      params: { environment: (sandbox) => `env-${sandbox.unique()}`, ref: () => WORK, sha: (sandbox) => sandbox.sha() },
    },
    'PUT /projects/:id/deployments/:deployment_id': {
      namesOthers: 'a status that it has',
      params: { status: () => 'success' },
    },
  },
  graphql: {
    added: ['Project.deployment'],
    pairs,
    // Lists of them are queried for one environment at a time.
    alone: ['Deployment', 'DeploymentApproval', 'DeploymentApprovalSummary', 'DeploymentPermissions'],
  },
} satisfies AreaExamples;
