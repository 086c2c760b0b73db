import type { Domain } from '../core/domain.js';
import { archivesEntities } from './archives.entities.js';
import { sweepImports } from './archive-imports/archive-import.jobs.js';
import { archivesAuditOf } from './archives.audit.js';
import { archivesFollowed } from './archives.pages.js';
import { failExports, failUploads, runExports, sweepExports, uploadExports } from './exports/archive-export.jobs.js';
import { groupImportAuditOf } from './group-imports/group-import.audit.js';
import { failGroupImports, importGroups, planGroupImports } from './group-imports/group-import.jobs.js';
import { failImportPlans } from './import-plans/import-plan.jobs.js';
import { projectImportAuditOf } from './project-imports/project-import.audit.js';
import {
  failProjectArchives,
  importProjectArchives,
  planProjectArchives,
} from './project-imports/project-import.jobs.js';
import {
  failRelationExports,
  runRelationExports,
  sweepRelationExports,
} from './relation-exports/relation-export.jobs.js';

export const archivesDomain: Domain = {
  name: 'archives',
  entities: archivesEntities,
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
