import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedProject } from '../instance/audit-events/audit-note.js';
import type { DeploymentEvents } from './deployments.events.js';
import { protectionEditNotes, protectionNote } from './protected-environments/protection-notes.js';

/** How what happens to environments, deployments and agents reads in the audit log. */
export const deploymentsAuditOf: AuditOf<DeploymentEvents> = {
  'cluster_agent.created': ({ agent, project }) => ({
    event: 'cluster_agent_created',
    entity: auditedProject(project),
    target: { type: 'Clusters::Agent', id: agent.id, details: agent.name },
    message: `Created cluster agent '${agent.name}'`,
  }),
  'cluster_agent.deleted': ({ agent, project }) => ({
    event: 'cluster_agent_deleted',
    entity: auditedProject(project),
    target: { type: 'Clusters::Agent', id: agent.id, details: agent.name },
    message: `Deleted cluster agent '${agent.name}'`,
  }),
  // Everyday work of Developers; deployments tell their own history.
  'environment.created': null,
  'environment.updated': null,
  'environment.stopped': null,
  'environment.deleted': ({ environment, project }) => ({
    event: 'environment_deleted',
    entity: auditedProject(project),
    target: { type: 'Environment', id: environment.id, details: environment.name },
    message: `Deleted environment ${environment.name}`,
  }),
  'deployment.created': null,
  'deployment.changed': null,
  'deployment.linked': null,
  'deployment.deleted': ({ deployment, environment, project }) => ({
    event: 'deployment_deleted',
    entity: auditedProject(project),
    target: { type: 'Deployment', id: deployment.id, details: `#${deployment.iid} of ${environment.name}` },
    message: `Deleted deployment #${deployment.iid} of ${environment.name}`,
  }),
  'protected_environment.created': ({ container, ...given }) => protectionNote(container, given, 'created'),
  'protected_environment.updated': ({ container, before, after }) => protectionEditNotes(container, before, after),
  'protected_environment.removed': ({ container, ...given }) => protectionNote(container, given, 'removed'),
};
