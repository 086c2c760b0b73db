import type { WorkerDomain } from '../core/domain.js';
import { linkingOfDeployments } from './deployed-merge-requests/link.js';
import { stopOfStaleEnvironments, tendingOfEnvironments } from './environment-stops/tend.js';

export const deploymentsWorkers: WorkerDomain = {
  handlers: [linkingOfDeployments, stopOfStaleEnvironments, tendingOfEnvironments],
};
