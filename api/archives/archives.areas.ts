/* What the API serves of this domain, by area: a line for each file of routes. */
export {
  groupImportRoutes as groupImports,
  projectImportStatusRoutes as projectImportStatus,
  projectImportRoutes as projectImports,
  exportRoutes as exports,
  relationExportRoutes as relationExports,
  importPlanRoutes as importPlans,
} from './archives.rest.js';
