import type { Domain } from '../core/domain.js';
import { ClusterAgent } from './cluster-agents/cluster-agent.entity.js';
import {
  linkDeployedMergeRequests,
  linkLateMergeRequest,
} from './deployed-merge-requests/deployed-merge-request.jobs.js';
import { DeploymentApproval } from './deployment-approvals/deployment-approval.entity.js';
import { tellMergeRequestsOfDeployments } from './deployed-merge-requests/deployment-source.js';
import { deploymentsAuditOf } from './deployments.audit.js';
import { deploymentsFollowed, deploymentsPageChanges } from './deployments.pages.js';
import { deploymentsSubscribers } from './deployments.subscribers.js';
import { Deployment } from './deployments/deployment.entity.js';
import { rebuildDora, rebuildDoraOfProject, refreshDoraDay } from './dora/dora.jobs.js';
import { stopStaleEnvironments, tendEnvironments } from './environment-stops/environment-stop.jobs.js';
import { Environment } from './environments/environment.entity.js';
import {
  ProtectedEnvironment,
  ProtectedEnvironmentApprovalRule,
  ProtectedEnvironmentDeployLevel,
} from './protected-environments/protected-environment.entity.js';

tellMergeRequestsOfDeployments();

export const deploymentsDomain: Domain = {
  name: 'deployments',
  entities: [
    ClusterAgent,
    Deployment,
    DeploymentApproval,
    Environment,
    ProtectedEnvironment,
    ProtectedEnvironmentApprovalRule,
    ProtectedEnvironmentDeployLevel,
  ],
  jobKinds: [
    linkDeployedMergeRequests,
    linkLateMergeRequest,
    refreshDoraDay,
    rebuildDoraOfProject,
    rebuildDora,
    stopStaleEnvironments,
    tendEnvironments,
  ],
  subscribers: deploymentsSubscribers,
  followed: deploymentsFollowed,
  pageChanges: deploymentsPageChanges,
  auditOf: deploymentsAuditOf,
};
