import type { ApiDomain } from '../core/domain.js';
import exports from './exports/exports.rest.js';
import groupImports from './container-imports/group-imports.rest.js';
import importPlans from './import-plans/import-plans.rest.js';
import projectImports from './container-imports/project-imports.rest.js';
import projectImportStatus from './container-imports/project-import-status.rest.js';
import relationExports from './exports/relation-exports.rest.js';

export const archivesApi: ApiDomain = {
  areas: { exports, groupImports, importPlans, projectImports, projectImportStatus, relationExports },
};
