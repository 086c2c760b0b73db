import type { WorkerDomain } from '../core/domain.js';
import { exporting, failureOfExports, sweepOfExports } from './exports/export.js';
import { failureOfGroupImports, importOfGroups } from './group-imports/import.js';

export const archivesWorkers: WorkerDomain = {
  handlers: [exporting, failureOfExports, failureOfGroupImports, importOfGroups, sweepOfExports],
};
