import type { Domain } from '../core/domain.js';
import { ArchiveImport } from './archive-imports/archive-import.entity.js';
import { groupImportAuditOf } from './group-imports/group-import.audit.js';
import { failGroupImports, importGroups } from './group-imports/group-import.jobs.js';

export const archivesDomain: Domain = {
  name: 'archives',
  entities: [ArchiveImport],
  jobKinds: [failGroupImports, importGroups],
  subscribers: [],
  auditOf: { ...groupImportAuditOf },
};
