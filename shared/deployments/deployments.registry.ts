import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { deploymentsEntities } from './deployments.entities.js';
import {
  linkDeployedMergeRequests,
  linkLateMergeRequest,
  rebuildDora,
  rebuildDoraOfProject,
  refreshDoraDay,
  stopStaleEnvironments,
  tendEnvironments,
} from './deployments.jobs.js';
import { registerDeploymentSource } from './deployed-merge-requests/deployment-source.js';
import * as readings from './deployments.audit.js';
import { deploymentsLiveKinds, deploymentsPageChanges } from './deployments.pages.js';
import { deploymentsSubscribers } from './deployments.subscribers.js';

registerDeploymentSource();

export const deploymentsDomain: Domain = {
  name: 'deployments',
  entities: deploymentsEntities,
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
  liveKinds: deploymentsLiveKinds,
  pageChanges: deploymentsPageChanges,
  auditOf: allReadings(readings),
};
