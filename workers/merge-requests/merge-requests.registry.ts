import type { WorkerDomain } from '../core/domain.js';

export const mergeRequestsWorkers: WorkerDomain = {
  handlers: [],
};
