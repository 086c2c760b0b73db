import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedGroup, auditedInstance, auditedProject, changeNotes } from '../instance/audit-events/audit-note.js';
import { auditedContainer } from '../tenancy/containers/audited-container.js';
import type { BadgeSummary, PlanningEvents } from './planning.events.js';

const badgeTarget = ({ id, name, link_url }: BadgeSummary) => ({ type: 'Badge', id, details: name ?? link_url });

/** How what happens to issues, labels and milestones reads in the audit log. */
export const planningAuditOf: AuditOf<PlanningEvents> = {
  // Everyday work of Planners and Reporters; issues keep their own history.
  'label.created': null,
  'label.updated': null,
  'label.deleted': null,
  'label.promoted': null,
  'badge.created': ({ container, badge }) => ({
    event: 'badge_created',
    entity: auditedContainer(container),
    target: badgeTarget(badge),
    message: `Added badge ${badge.name ?? badge.link_url}`,
  }),
  'badge.updated': ({ container, before, badge }) =>
    changeNotes(
      { event: 'badge_updated', entity: auditedContainer(container), target: badgeTarget(badge) },
      before,
      badge,
      ['name', 'link_url', 'image_url'],
    ),
  'badge.deleted': ({ container, badge }) => ({
    event: 'badge_deleted',
    entity: auditedContainer(container),
    target: badgeTarget(badge),
    message: `Removed badge ${badge.name ?? badge.link_url}`,
  }),
  'board.created': null,
  'board.updated': null,
  'board.deleted': null,
  'board.arranged': null,
  'milestone.created': null,
  'milestone.updated': null,
  'milestone.deleted': null,
  'milestone.promoted': null,
  'issue.created': null,
  'issue.changed': null,
  'issue.moved': null,
  'issue.cloned': null,
  // The removal of the author is audited instead.
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
  'wiki.changed': null,
  'snippet.created': null,
  'snippet.updated': null,
  'snippet.deleted': ({ snippet, project }) => ({
    event: 'delete_snippet',
    entity: project ? auditedProject(project) : auditedInstance,
    target: { type: 'Snippet', id: snippet.id, details: snippet.title },
    message: `Removed snippet $${snippet.id}`,
  }),
};
