import type { ApiDomain } from '../core/domain.js';
import clusterAgents from './cluster-agents/cluster-agents.rest.js';
import deployedMergeRequests from './deployed-merge-requests/deployed-merge-requests.rest.js';
import deployRights from './deploy-rights/deploy-rights.rest.js';
import deployments from './deployments/deployments.rest.js';
import dora from './dora/dora.rest.js';
import environments from './environments/environments.rest.js';
import protectedEnvironments from './protected-environments/protected-environments.rest.js';

export const deploymentsApi: ApiDomain = {
  areas: { clusterAgents, deployedMergeRequests, deployRights, deployments, dora, environments, protectedEnvironments },
  resolvers: async () => (await import('./deployments.resolvers.js')).deploymentsResolvers,
};
