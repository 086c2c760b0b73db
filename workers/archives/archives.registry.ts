import type { WorkerDomain } from '../core/domain.js';

export const archivesWorkers: WorkerDomain = {
  handlers: [],
};
