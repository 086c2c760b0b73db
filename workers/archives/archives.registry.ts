import type { WorkerDomain } from '../core/handler.js';
import {
  exporting,
  failureOfExports,
  failureOfUploads,
  sweepOfExports,
  uploadOfExports,
  failureOfRelationExports,
  relationExporting,
  sweepOfRelationExports,
} from './exports/export.js';
import {
  failureOfGroupImports,
  importOfGroups,
  failureOfProjectArchives,
  importOfProjectArchives,
  sweepOfImports,
} from './container-imports/import.js';
import { failureOfPlans, planningOfGroups, planningOfProjects } from './import-plans/plan.js';

export const archivesWorkers: WorkerDomain = {
  handlers: [
    exporting,
    failureOfExports,
    failureOfGroupImports,
    failureOfPlans,
    failureOfProjectArchives,
    failureOfRelationExports,
    failureOfUploads,
    importOfGroups,
    importOfProjectArchives,
    planningOfGroups,
    planningOfProjects,
    relationExporting,
    sweepOfRelationExports,
    sweepOfExports,
    sweepOfImports,
    uploadOfExports,
  ],
};
