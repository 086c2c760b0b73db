/* Routes of this domain by area: one line per route file. */
export {
  clusterAgentRoutes as clusterAgents,
  deployRightRoutes as deployRights,
  deployedMergeRequestRoutes as deployedMergeRequests,
  deploymentRoutes as deployments,
  environmentRoutes as environments,
  protectedEnvironmentRoutes as protectedEnvironments,
} from './deployments.rest.js';
export { default as dora } from './dora/dora.rest.js';
