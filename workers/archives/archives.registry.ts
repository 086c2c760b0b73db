import type { WorkerDomain } from '../core/domain.js';
import { exporting, failureOfExports, sweepOfExports } from './exports/export.js';
import {
  failureOfRelationExports,
  relationExporting,
  sweepOfRelationExports,
} from './relation-exports/relation-export.js';
import { failureOfGroupImports, importOfGroups } from './group-imports/import.js';
import { failureOfProjectArchives, importOfProjectArchives } from './project-imports/import.js';

export const archivesWorkers: WorkerDomain = {
  handlers: [
    exporting,
    failureOfExports,
    failureOfGroupImports,
    failureOfProjectArchives,
    failureOfRelationExports,
    importOfGroups,
    importOfProjectArchives,
    relationExporting,
    sweepOfRelationExports,
    sweepOfExports,
  ],
};
