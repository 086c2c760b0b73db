import { auditedGroup, auditedProject } from '../../instance/audit-events/audit-note.js';
import type { AuditedEntity } from '../../instance/audit-events/audit-note.js';
import type { NamedContainer } from '../tenancy.events.js';

/** In whose log it stands what is told of a container. */
export const auditedContainer = (container: NamedContainer): AuditedEntity =>
  'project' in container ? auditedProject(container.project) : auditedGroup(container.group);
