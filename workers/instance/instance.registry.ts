import type { WorkerDomain } from '../core/domain.js';
import { MetricsServer } from './monitoring/metrics-server.js';
import { removalOfObjects, sweepOfObjects } from './object-store/tend.js';
import { bulk } from './queue-jobs/bulk.js';
import { sample } from './queue-jobs/sample.js';
import { tendJobs } from './queue-jobs/tend.js';

export const instanceWorkers: WorkerDomain = {
  handlers: [tendJobs, sample, bulk, removalOfObjects, sweepOfObjects],
  backgroundServices: () => [new MetricsServer()],
};
