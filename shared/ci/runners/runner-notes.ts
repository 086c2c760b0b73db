import { auditedInstance, auditedProject } from '../../instance/audit-events/audit-note.js';
import type { AuditNote } from '../../instance/audit-events/audit-note.js';
import { auditedContainer } from '../../tenancy/containers/audited-container.js';
import type { ProjectSummary } from '../../tenancy/tenancy.events.js';
import type { RunnerEvent } from '../ci.events.js';

const KINDS = { instance_type: 'instance', group_type: 'group', project_type: 'project' } as const;

const TEXTS = {
  created: (name: string) => `Created ${name}`,
  registered: (name: string) => `Registered ${name} with a registration token`,
  updated: (name: string) => `Changed ${name}`,
  deleted: (name: string) => `Deleted ${name}`,
  token_reset: (name: string) => `Reset the token of ${name}`,
  assigned_to_project: (name: string) => `Assigned ${name} to the project`,
  unassigned_from_project: (name: string) => `Unassigned ${name} from the project`,
} as const;

/**
 * What was done to a runner; never its token.
 * @param attributes the names of those that changed
 * @param project the project that it was assigned to, or unassigned from
 */
export function runnerNote(
  { runner, owner }: RunnerEvent,
  what: keyof typeof TEXTS,
  { attributes = [], project }: { attributes?: readonly string[]; project?: ProjectSummary } = {},
): AuditNote {
  const name = `${KINDS[runner.runner_type]} runner #${runner.id}`;
  const ofOwner = owner ? auditedContainer(owner) : auditedInstance;
  return {
    event: `ci_runner_${what}`,
    entity: project ? auditedProject(project) : ofOwner,
    target: { type: 'Ci::Runner', id: runner.id, details: runner.description ?? '' },
    message: `${TEXTS[what](name)}${attributes.length > 0 ? `: ${attributes.join(', ')}` : ''}`,
  };
}
