import type { ApiDomain } from '../core/domain.js';
import clusterAgents from './cluster-agents/cluster-agents.rest.js';
import deployedMergeRequests from './deployed-merge-requests/deployed-merge-requests.rest.js';
import deployments from './deployments/deployments.rest.js';
import environments from './environments/environments.rest.js';

export const deploymentsApi: ApiDomain = {
  areas: { clusterAgents, deployedMergeRequests, deployments, environments },
  resolvers: async () => (await import('./deployments.resolvers.js')).deploymentsResolvers,
};
