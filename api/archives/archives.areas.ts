/* What the API serves of this domain, by area: a line for each file of routes that is an area by itself. */
export { default as groupImports } from './container-imports/group-imports.rest.js';
export { default as projectImportStatus } from './container-imports/project-import-status.rest.js';
export { default as projectImports } from './container-imports/project-imports.rest.js';
export { default as exports } from './exports/exports.rest.js';
export { default as relationExports } from './exports/relation-exports.rest.js';
export { default as importPlans } from './import-plans/import-plans.rest.js';
