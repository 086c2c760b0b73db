import type { Domain } from '../core/domain.js';
import { ArchiveImport } from './archive-imports/archive-import.entity.js';
import { sweepImports } from './archive-imports/archive-import.jobs.js';
import { archivesAuditOf } from './archives.audit.js';
import { archivesFollowed } from './archives.pages.js';
import { ArchiveExport } from './exports/archive-export.entity.js';
import { failExports, failUploads, runExports, sweepExports, uploadExports } from './exports/archive-export.jobs.js';
import { groupImportAuditOf } from './group-imports/group-import.audit.js';
import { failGroupImports, importGroups, planGroupImports } from './group-imports/group-import.jobs.js';
import { ImportPlan } from './import-plans/import-plan.entity.js';
import { failImportPlans } from './import-plans/import-plan.jobs.js';
import { projectImportAuditOf } from './project-imports/project-import.audit.js';
import {
  failProjectArchives,
  importProjectArchives,
  planProjectArchives,
} from './project-imports/project-import.jobs.js';
import { RelationExport, RelationExportFile } from './relation-exports/relation-export.entity.js';
import {
  failRelationExports,
  runRelationExports,
  sweepRelationExports,
} from './relation-exports/relation-export.jobs.js';

export const archivesDomain: Domain = {
  name: 'archives',
  entities: [ArchiveExport, ArchiveImport, ImportPlan, RelationExport, RelationExportFile],
  jobKinds: [
    failExports,
    failGroupImports,
    failImportPlans,
    failProjectArchives,
    failRelationExports,
    failUploads,
    importGroups,
    importProjectArchives,
    planGroupImports,
    planProjectArchives,
    runRelationExports,
    sweepRelationExports,
    runExports,
    sweepExports,
    sweepImports,
    uploadExports,
  ],
  subscribers: [],
  followed: archivesFollowed,
  auditOf: { ...archivesAuditOf, ...groupImportAuditOf, ...projectImportAuditOf },
};
