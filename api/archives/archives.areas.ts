/* Routes of this domain by area: one line per route file. */
export {
  groupImportRoutes as groupImports,
  projectImportStatusRoutes as projectImportStatus,
  projectImportRoutes as projectImports,
  exportRoutes as exports,
  relationExportRoutes as relationExports,
  importPlanRoutes as importPlans,
} from './archives.rest.js';
