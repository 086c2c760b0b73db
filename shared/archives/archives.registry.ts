import type { Domain } from '../core/domain.js';
import { allReadings } from '../instance/audit-events/audit-log.js';
import { archivesEntities } from './archives.entities.js';
import {
  sweepImports,
  failGroupImports,
  importGroups,
  planGroupImports,
  failProjectArchives,
  importProjectArchives,
  planProjectArchives,
  failImportPlans,
  failExports,
  failUploads,
  runExports,
  sweepExports,
  uploadExports,
  failRelationExports,
  runRelationExports,
  sweepRelationExports,
} from './archives.jobs.js';
import * as readings from './archives.audit.js';
import { archivesLiveKinds } from './archives.pages.js';

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
  liveKinds: archivesLiveKinds,
  auditOf: allReadings(readings),
};
