import type { WorkerDomain } from '../core/domain.js';
import { tendJobs, tendJobsEachHour } from './queue-jobs/tend.js';

export const instanceWorkers: WorkerDomain = {
  handlers: [tendJobs],
  recurring: [tendJobsEachHour],
};
