/* The tables of this domain: a line for each file of entities. */
export {
  ArchiveImport,
  ArchiveImportFailure,
  ArchiveImportGroup,
  ArchiveImportRelation,
  ArchiveImportRow,
  ArchiveImportUser,
} from './archive-imports/archive-import.entity.js';
export { ArchiveExport, RelationExport, RelationExportFile } from './exports/archive-export.entity.js';
export { ImportPlan } from './import-plans/import-plan.entity.js';
