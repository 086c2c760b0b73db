import type { WorkerDomain } from '../core/domain.js';
import { stopOfStaleEnvironments, tendingOfEnvironments } from './environment-stops/tend.js';

export const deploymentsWorkers: WorkerDomain = {
  handlers: [stopOfStaleEnvironments, tendingOfEnvironments],
};
