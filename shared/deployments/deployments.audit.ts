import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedProject } from '../instance/audit-events/audit-note.js';
import type { AuditNote } from '../instance/audit-events/audit-note.js';
import type { DomainEvent } from '../core/values/events.js';
import type { DeploymentEvents } from './deployments.events.js';
import { protectionEditNotes, protectionNote } from './protected-environments/protection-notes.js';

/** Includes the user, group or role they represented; comments may be long and are stored with the approval itself. */
function decisionNote(done: 'approved' | 'rejected', event: DomainEvent<`deployment.${typeof done}`>): AuditNote {
  const { deployment, environment, project, represented_as: as } = event;
  const name = `#${deployment.iid} of ${environment.name}`;
  return {
    event: `deployment_${done}`,
    entity: auditedProject(project),
    target: { type: 'Deployment', id: deployment.id, details: name },
    message: `${done === 'approved' ? 'Approved' : 'Rejected'} deployment ${name}${as === null ? '' : ` as ${as}`}`,
  };
}

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
  // Everyday work of Developers; deployments have their own history.
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
  'deployment.approved': (event) => decisionNote('approved', event),
  'deployment.rejected': (event) => decisionNote('rejected', event),
  'protected_environment.created': ({ container, ...details }) => protectionNote(container, details, 'created'),
  'protected_environment.updated': ({ container, before, after }) => protectionEditNotes(container, before, after),
  'protected_environment.removed': ({ container, ...details }) => protectionNote(container, details, 'removed'),
};
