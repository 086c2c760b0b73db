import type { Domain } from '../core/domain.js';
import { ArchiveImport } from './archive-imports/archive-import.entity.js';
import { sweepImports } from './archive-imports/archive-import.jobs.js';
import { archivesAuditOf } from './archives.audit.js';
import { archivesFollowed } from './archives.pages.js';
import { ArchiveExport } from './exports/archive-export.entity.js';
import { failExports, failUploads, runExports, sweepExports, uploadExports } from './exports/archive-export.jobs.js';
import { groupImportAuditOf } from './group-imports/group-import.audit.js';
import { failGroupImports, importGroups } from './group-imports/group-import.jobs.js';
import { projectImportAuditOf } from './project-imports/project-import.audit.js';
import { failProjectArchives, importProjectArchives } from './project-imports/project-import.jobs.js';
import { RelationExport, RelationExportFile } from './relation-exports/relation-export.entity.js';
import {
  failRelationExports,
  runRelationExports,
  sweepRelationExports,
} from './relation-exports/relation-export.jobs.js';

export const archivesDomain: Domain = {
  name: 'archives',
  entities: [ArchiveExport, ArchiveImport, RelationExport, RelationExportFile],
  jobKinds: [
    failExports,
    failGroupImports,
    failProjectArchives,
    failRelationExports,
    failUploads,
    importGroups,
    importProjectArchives,
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
