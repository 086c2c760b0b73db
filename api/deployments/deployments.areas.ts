/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as clusterAgents } from './cluster-agents/cluster-agents.rest.js';
export { default as deployRights } from './deploy-rights/deploy-rights.rest.js';
export { default as deployedMergeRequests } from './deployed-merge-requests/deployed-merge-requests.rest.js';
export { default as deployments } from './deployments/deployments.rest.js';
export { default as dora } from './dora/dora.rest.js';
export { default as environments } from './environments/environments.rest.js';
export { default as protectedEnvironments } from './protected-environments/protected-environments.rest.js';
