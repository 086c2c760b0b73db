import type { TablesOf } from '../core/database/tables.js';
import type { PackagesDatabase } from '../packages/packages.entities.js';
import {
  ArchiveImport,
  ArchiveImportFailure,
  ArchiveImportGroup,
  ArchiveImportRelation,
  ArchiveImportRow,
  ArchiveImportUser,
} from './archive-imports/archive-import.entity.js';
import { ImportPlan } from './import-plans/import-plan.entity.js';
import { ArchiveExport } from './exports/archive-export.entity.js';
import { RelationExport, RelationExportFile } from './exports/archive-export.entity.js';

/** The tables of this domain. */
export const archivesEntities = [
  ArchiveExport,
  ArchiveImport,
  ArchiveImportFailure,
  ArchiveImportGroup,
  ArchiveImportRelation,
  ArchiveImportRow,
  ArchiveImportUser,
  ImportPlan,
  RelationExport,
  RelationExportFile,
] as const;

/**
 * What a query of this domain may name: its tables and those of the domains below.
 * @public
 */
export interface ArchivesDatabase extends PackagesDatabase, TablesOf<(typeof archivesEntities)[number]> {}
