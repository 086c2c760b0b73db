/* The tables of this domain: a line for each file of entities. */
export { ClusterAgent } from './cluster-agents/cluster-agent.entity.js';
export { DeploymentMergeRequest, Deployment } from './deployments/deployment.entity.js';
export { DeploymentApproval } from './deployment-approvals/deployment-approval.entity.js';
export { DoraDailyMetric, DoraRefresh } from './dora/dora-day.entity.js';
export { Environment } from './environments/environment.entity.js';
export {
  ProtectedEnvironment,
  ProtectedEnvironmentApprovalRule,
  ProtectedEnvironmentDeployLevel,
} from './protected-environments/protected-environment.entity.js';
