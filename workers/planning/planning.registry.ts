import type { WorkerDomain } from '../core/domain.js';

export const planningWorkers: WorkerDomain = {
  handlers: [],
};
