import type { AuditOf } from '../../instance/audit-events/audit-log.js';
import { auditedGroup } from '../../instance/audit-events/audit-note.js';
import type { GroupImportEvents } from './group-import.events.js';

/** How imports of groups read in the audit log. */
export const groupImportAuditOf: AuditOf<GroupImportEvents> = {
  'group_import.started': ({ group, bytes, sha256 }) => ({
    event: 'group_import_started',
    entity: auditedGroup(group),
    message: `Started the import of an archive of ${bytes} bytes (SHA-256 ${sha256})`,
  }),
  'group_import.cancelled': ({ group }) => ({
    event: 'group_import_cancelled',
    entity: auditedGroup(group),
    message: 'Cancelled the import of an archive',
  }),
};
