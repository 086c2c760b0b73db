import type { AuditOf } from '../../instance/audit-events/audit-log.js';
import { auditedProject } from '../../instance/audit-events/audit-note.js';
import type { ProjectImportEvents } from './project-import.events.js';

/** How imports of projects read in the audit log. */
export const projectImportAuditOf: AuditOf<ProjectImportEvents> = {
  'project_import.started': ({ project, bytes, sha256 }) => ({
    event: 'project_import_started',
    entity: auditedProject(project),
    message: `Started the import of an archive of ${bytes} bytes (SHA-256 ${sha256})`,
  }),
  'project_import.cancelled': ({ project }) => ({
    event: 'project_import_cancelled',
    entity: auditedProject(project),
    message: 'Cancelled the import of an archive',
  }),
};
