import type { WorkerDomain } from '../core/domain.js';

export const deploymentsWorkers: WorkerDomain = {
  handlers: [],
};
