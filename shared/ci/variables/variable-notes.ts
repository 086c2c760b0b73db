import { auditedInstance } from '../../instance/audit-events/audit-note.js';
import type { AuditNote } from '../../instance/audit-events/audit-note.js';
import { auditedContainer } from '../../tenancy/containers/audited-container.js';
import type { CiVariableEvent } from '../ci.events.js';

const DONE = { created: 'Created', updated: 'Changed', deleted: 'Deleted' } as const;

/** Uses the public API's event names, which tell variables of groups and of the instance apart. */
function getKind({ container }: CiVariableEvent): string {
  if (!container) return 'ci_instance_variable';
  return 'group' in container ? 'ci_group_variable' : 'ci_variable';
}

/**
 * What was done to a variable, by its key and scope: never its value.
 * @param attributes the names of those that changed
 */
export function ciVariableNote(
  event: CiVariableEvent,
  what: keyof typeof DONE,
  attributes: readonly string[] = [],
): AuditNote {
  const { container, variable } = event;
  const { id, key, environment_scope: scope } = variable;
  const limits = scope === '*' ? '' : ` of environments ${scope}`;
  return {
    event: `${getKind(event)}_${what}`,
    entity: container ? auditedContainer(container) : auditedInstance,
    target: { type: 'CiVariable', id, details: key },
    message: `${DONE[what]} variable ${key}${limits}${attributes.length > 0 ? `: ${attributes.join(', ')}` : ''}`,
  };
}
