import type { WorkerDomain } from '../core/domain.js';

export const notesWorkers: WorkerDomain = {
  handlers: [],
};
