import { auditedGroup, auditedProject } from '../../instance/audit-events/audit-note.js';
import type { AuditedEntity } from '../../instance/audit-events/audit-note.js';
import type { ContainerSummary } from '../tenancy.events.js';

/** In whose log it stands what is told of a container. */
export const auditedContainer = (container: ContainerSummary): AuditedEntity =>
  'project' in container ? auditedProject(container.project) : auditedGroup(container.group);
