import type { AuditOf } from './audit-events/audit-log.js';
import { auditedInstance, changeNotes } from './audit-events/audit-note.js';
import type { InstanceEvents } from './instance.events.js';
import { queueJobAuditOf } from './queue-jobs/queue-job.audit.js';

/** How events of the instance read in the audit log. */
export const instanceAuditOf: AuditOf<InstanceEvents> = {
  'settings.updated': ({ before, after, names }) =>
    changeNotes({ event: 'application_settings_updated', entity: auditedInstance }, before, after, names),
  ...queueJobAuditOf,
};
