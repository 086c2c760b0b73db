import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedProject } from '../instance/audit-events/audit-note.js';
import type { CiEvents } from './ci.events.js';

/** How what happens to pipelines and schedules reads in the audit log. */
export const ciAuditOf: AuditOf<CiEvents> = {
  'pipeline.deleted': ({ pipeline }) => ({
    event: 'pipeline_destroyed',
    entity: auditedProject(pipeline.project),
    target: { type: 'Pipeline', id: pipeline.id, details: `#${pipeline.iid}` },
    message: `Deleted pipeline #${pipeline.iid}`,
  }),
  // The work of executors.
  'pipeline.finished': null,
  // The work of its owner, a Developer; that somebody takes it over is told.
  'pipeline_schedule.created': null,
  'pipeline_schedule.updated': null,
  'pipeline_schedule.ownership_taken': ({ schedule, owner_id: ownerId }) => ({
    event: 'pipeline_schedule_ownership_taken',
    entity: auditedProject(schedule.project),
    target: { type: 'PipelineSchedule', id: schedule.id, details: schedule.description },
    message: `Took ownership of pipeline schedule ${schedule.description}`,
    change: { attribute: 'owner_id', from: schedule.owner_id ?? null, to: ownerId },
  }),
  'pipeline_schedule.deleted': null,
  'pipeline_schedule_variable.created': null,
  'pipeline_schedule_variable.updated': null,
  'pipeline_schedule_variable.deleted': null,
};
