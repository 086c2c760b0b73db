import type { WorkerDomain } from '../core/domain.js';
import { sweepOfImports } from './archive-imports/sweep.js';
import { exporting, failureOfExports, sweepOfExports } from './exports/export.js';
import {
  failureOfRelationExports,
  relationExporting,
  sweepOfRelationExports,
} from './relation-exports/relation-export.js';
import { failureOfUploads, uploadOfExports } from './exports/upload.js';
import { failureOfGroupImports, importOfGroups } from './group-imports/import.js';
import { failureOfPlans, planningOfGroups, planningOfProjects } from './import-plans/plan.js';
import { failureOfProjectArchives, importOfProjectArchives } from './project-imports/import.js';

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
