import type { AuditedPlace } from '../../instance/audit-events/audit-event.finder.js';
import { auditEventsOf } from '../../instance/audit-events/audit-event.operations.js';
import type { Subject } from '../../core/operation.js';
import { group } from '../groups/group.finder.js';
import { project } from '../projects/project.finder.js';

/** A project or group, as far as its log is concerned. */
function audited(subject: Subject<{ id: number; access: number }>, type: 'Project' | 'Group'): Subject<AuditedPlace> {
  return {
    ...subject,
    async find(ctx, input) {
      const { id, access } = await subject.find(ctx, input);
      return { type, id, access };
    },
  };
}

export const projectAuditEvents = auditEventsOf(audited(project, 'Project'), 'Project');
export const groupAuditEvents = auditEventsOf(audited(group, 'Group'), 'Group');
