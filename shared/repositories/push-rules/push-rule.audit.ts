import type { AuditOf } from '../../instance/audit-events/audit-log.js';
import { changeNotes } from '../../instance/audit-events/audit-note.js';
import { auditedContainer } from '../../tenancy/containers/audited-container.js';
import type { PushRuleEvents } from './push-rule.events.js';

/** How what happens to push rules reads in the audit log. */
export const pushRuleAuditOf: AuditOf<PushRuleEvents> = {
  'push_rule.updated': ({ container, before, after }) =>
    changeNotes({ event: 'push_rule_updated', entity: auditedContainer(container) }, before, after, [
      'commit_message_regex',
      'branch_name_regex',
      'deny_delete_tag',
      'member_check',
      'max_file_size',
    ]),
};
