import { auditedGroup, auditedProject } from '../../instance/audit-events/audit-note.js';
import type { AuditedEntity } from '../../instance/audit-events/audit-note.js';
import type { ContainerSummary } from '../tenancy.events.js';

/** The project or group whose audit log stores events about a container. */
export const auditedContainer = (container: ContainerSummary): AuditedEntity =>
  'project' in container ? auditedProject(container.project) : auditedGroup(container.group);
