import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedGroup, auditedProject } from '../instance/audit-events/audit-note.js';
import type { PlanningEvents } from './planning.events.js';

/** How what happens to issues, labels and milestones reads in the audit log. */
export const planningAuditOf: AuditOf<PlanningEvents> = {
  // Everyday work of Planners and Reporters; issues tell their own history.
  'label.created': null,
  'label.updated': null,
  'label.deleted': null,
  'label.promoted': null,
  'milestone.created': null,
  'milestone.updated': null,
  'milestone.deleted': null,
  'milestone.promoted': null,
  'issue.created': null,
  'issue.changed': null,
  'issue.moved': null,
  'issue.cloned': null,
  // Removing the author is told of.
  'issues.removed': null,
  'issue.deleted': ({ issue, project }) => ({
    event: 'delete_issue',
    entity: auditedProject(project),
    target: { type: 'Issue', id: issue.id, details: issue.title },
    message: `Removed issue #${issue.iid}`,
  }),
  'issue.mentioned': null,
  'epic.created': null,
  'epic.changed': null,
  'epic.deleted': ({ epic, group }) => ({
    event: 'delete_epic',
    entity: auditedGroup(group),
    target: { type: 'Epic', id: epic.id, details: epic.title },
    message: `Removed epic &${epic.iid}`,
  }),
  'epic_issue.changed': null,
  'issue_link.created': null,
  'issue_link.deleted': null,
};
