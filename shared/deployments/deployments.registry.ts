import type { Domain } from '../core/domain.js';
import { ClusterAgent } from './cluster-agents/cluster-agent.entity.js';
import { linkDeployedMergeRequests } from './deployed-merge-requests/deployed-merge-request.jobs.js';
import { deploymentsAuditOf } from './deployments.audit.js';
import { deploymentsSubscribers } from './deployments.subscribers.js';
import { Deployment } from './deployments/deployment.entity.js';
import { stopStaleEnvironments, tendEnvironments } from './environment-stops/environment-stop.jobs.js';
import { Environment } from './environments/environment.entity.js';

export const deploymentsDomain: Domain = {
  name: 'deployments',
  entities: [ClusterAgent, Deployment, Environment],
  jobKinds: [linkDeployedMergeRequests, stopStaleEnvironments, tendEnvironments],
  subscribers: deploymentsSubscribers,
  auditOf: deploymentsAuditOf,
};
