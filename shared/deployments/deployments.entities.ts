import type { TablesOf } from '../core/database/tables.js';
import type { NotesDatabase } from '../notes/notes.entities.js';
import { ClusterAgent } from './cluster-agents/cluster-agent.entity.js';
import { DeploymentApproval } from './deployment-approvals/deployment-approval.entity.js';
import { Deployment } from './deployments/deployment.entity.js';
import { Environment } from './environments/environment.entity.js';
import {
  ProtectedEnvironment,
  ProtectedEnvironmentApprovalRule,
  ProtectedEnvironmentDeployLevel,
} from './protected-environments/protected-environment.entity.js';
import { DeploymentMergeRequest } from './deployed-merge-requests/deployment-merge-request.entity.js';
import { DoraDailyMetric, DoraRefresh } from './dora/dora-day.entity.js';

/** The tables of this domain. */
export const deploymentsEntities = [
  ClusterAgent,
  Deployment,
  DeploymentApproval,
  DeploymentMergeRequest,
  DoraDailyMetric,
  DoraRefresh,
  Environment,
  ProtectedEnvironment,
  ProtectedEnvironmentApprovalRule,
  ProtectedEnvironmentDeployLevel,
] as const;

/** What a query of this domain may name: its tables and those of the domains below. */
export interface DeploymentsDatabase extends NotesDatabase, TablesOf<(typeof deploymentsEntities)[number]> {}
