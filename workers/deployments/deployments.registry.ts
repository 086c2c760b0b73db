import type { WorkerDomain } from '../core/domain.js';
import { linkingOfDeployments, linkingOfLateMergeRequests } from './deployed-merge-requests/link.js';
import { dayRefresh, fullRebuild, projectRebuild } from './dora/refresh-dora.js';
import { stopOfStaleEnvironments, tendingOfEnvironments } from './environment-stops/tend.js';

export const deploymentsWorkers: WorkerDomain = {
  handlers: [
    dayRefresh,
    fullRebuild,
    linkingOfDeployments,
    linkingOfLateMergeRequests,
    projectRebuild,
    stopOfStaleEnvironments,
    tendingOfEnvironments,
  ],
};
