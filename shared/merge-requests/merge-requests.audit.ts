import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedProject } from '../instance/audit-events/audit-note.js';
import type { MergeRequestsEvents } from './merge-requests.events.js';

/** How what happens to merge requests reads in the audit log. */
export const mergeRequestsAuditOf: AuditOf<MergeRequestsEvents> = {
  // Everyday work; merge requests keep their own history.
  'merge_request.created': null,
  'merge_request.changed': null,
  'merge_request.pushed': null,
  'merge_requests.unchecked': null,
  'merge_request.unmergeable': null,
  'merge_request.approved': null,
  'merge_request.unapproved': null,
  'merge_request.approvals_reset': null,
  'merge_request.merged': null,
  'merge_request.auto_merge_set': null,
  'merge_request.auto_merge_canceled': null,
  'merge_request.deleted': ({ merge_request: request, project }) => ({
    event: 'delete_merge_request',
    entity: auditedProject(project),
    target: { type: 'MergeRequest', id: request.id, details: request.title },
    message: `Removed merge request !${request.iid}`,
  }),
};
