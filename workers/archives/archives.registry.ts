import type { WorkerDomain } from '../core/domain.js';
import { failureOfGroupImports, importOfGroups } from './group-imports/import.js';

export const archivesWorkers: WorkerDomain = {
  handlers: [failureOfGroupImports, importOfGroups],
};
