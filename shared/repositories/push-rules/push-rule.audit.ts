import type { AuditOf } from '../../instance/audit-events/audit-log.js';
import { changeNotes } from '../../instance/audit-events/audit-note.js';
import type { AuditNote } from '../../instance/audit-events/audit-note.js';
import { auditedContainer } from '../../tenancy/containers/audited-container.js';
import type { ContainerSummary } from '../../tenancy/tenancy.events.js';
import { PUSH_RULES } from './push-rule.entity.js';
import type { PushRule } from './push-rule.entity.js';

interface PushRuleEvent {
  readonly container: ContainerSummary;
  readonly rule: PushRule;
}

interface PushRuleEvents {
  'push_rule.created': PushRuleEvent;
  'push_rule.updated': PushRuleEvent & { readonly before: PushRule };
  'push_rule.deleted': PushRuleEvent;
}

declare module '../../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends PushRuleEvents {}
}

const about = ({ container, rule }: PushRuleEvent, event: string) => ({
  event: `push_rule_${event}`,
  entity: auditedContainer(container),
  target: { type: 'PushRule', id: rule.id, details: 'Push rule' },
});

const note = (event: PushRuleEvent, what: string, message: string): AuditNote => ({ ...about(event, what), message });

/** How what happens to push rules reads in the audit log. */
export const pushRuleAuditOf: AuditOf<PushRuleEvents> = {
  'push_rule.created': (event) => note(event, 'created', 'Added the push rule'),
  'push_rule.updated': (event) => changeNotes(about(event, 'updated'), event.before, event.rule, PUSH_RULES),
  'push_rule.deleted': (event) => note(event, 'deleted', 'Removed the push rule'),
};
