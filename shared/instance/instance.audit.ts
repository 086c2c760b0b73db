import type { AuditOf } from './audit-events/audit-log.js';
import { isSecret } from './application-settings/secret-settings.js';
import { auditedInstance, changeNotes } from './audit-events/audit-note.js';
import type { InstanceEvents } from './instance.events.js';
import { queueJobAuditOf } from './queue-jobs/queue-job.audit.js';

const settingsNote = { event: 'application_settings_updated', entity: auditedInstance } as const;

/** How events of the instance read in the audit log. */
export const instanceAuditOf: AuditOf<InstanceEvents> = {
  'settings.updated': ({ before, after, names }) => [
    ...changeNotes(
      settingsNote,
      before,
      after,
      names.filter((name) => !isSecret(name)),
    ),
    // That it is another one, not which.
    ...names
      .filter((name) => isSecret(name) && before[name] !== after[name])
      .map((name) => ({ ...settingsNote, message: `Changed ${name.replaceAll('_', ' ')}` })),
  ],
  ...queueJobAuditOf,
};
