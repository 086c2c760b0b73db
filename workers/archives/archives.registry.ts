import type { WorkerDomain } from '../core/domain.js';
import { exporting, failureOfExports, failureOfUploads, sweepOfExports, uploadOfExports } from './exports/export.js';
import { failureOfRelationExports, relationExporting, sweepOfRelationExports } from './exports/export.js';
import { failureOfGroupImports, importOfGroups } from './group-imports/import.js';
import { failureOfPlans, planningOfGroups, planningOfProjects } from './import-plans/plan.js';
import { failureOfProjectArchives, importOfProjectArchives, sweepOfImports } from './project-imports/import.js';

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
