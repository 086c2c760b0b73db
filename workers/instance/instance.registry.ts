import type { WorkerDomain } from '../core/domain.js';
import { MetricsServer } from './monitoring/metrics-server.js';
import { tendJobs, tendJobsEachHour } from './queue-jobs/tend.js';

export const instanceWorkers: WorkerDomain = {
  handlers: [tendJobs],
  recurring: [tendJobsEachHour],
  backgroundServices: () => [new MetricsServer()],
};
