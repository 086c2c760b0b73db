import type { AuditOf } from '../instance/audit-events/audit-log.js';
import { auditedInstance, auditedProject } from '../instance/audit-events/audit-note.js';
import { auditedContainer } from '../tenancy/containers/audited-container.js';
import type { CiEvents } from './ci.events.js';
import {
  activeNote,
  ownershipNote,
  scheduleEditNotes,
  scheduleNote,
  variableNote,
} from './pipeline-schedules/schedule-notes.js';
import { runnerNote } from './runners/runner-notes.js';
import { ciVariableNote } from './variables/variable-notes.js';

/** How what happens to pipelines, schedules and variables reads in the audit log. */
export const ciAuditOf: AuditOf<CiEvents> = {
  'job.erased': ({ job }) => ({
    event: 'job_erased',
    entity: auditedProject(job.project),
    target: { type: 'Ci::Build', id: job.id, details: job.name },
    message: `Erased the log of job ${job.name}`,
  }),
  'pipeline.deleted': ({ pipeline }) => ({
    event: 'pipeline_destroyed',
    entity: auditedProject(pipeline.project),
    target: { type: 'Pipeline', id: pipeline.id, details: `#${pipeline.iid}` },
    message: `Deleted pipeline #${pipeline.iid}`,
  }),
  // The work of executors.
  'pipeline.finished': null,
  'pipeline_schedule.created': ({ schedule }) => scheduleNote(schedule, 'created'),
  'pipeline_schedule.updated': scheduleEditNotes,
  'pipeline_schedule.owner_stopped': ({ schedule, owner }) =>
    activeNote(schedule, false, `, because its owner ${owner.username} is ${owner.state.replaceAll('_', ' ')}`),
  'pipeline_schedule.ownership_taken': ownershipNote,
  'pipeline_schedule.deleted': ({ schedule }) => scheduleNote(schedule, 'deleted'),
  'pipeline_schedule_variable.created': (event) => variableNote(event, 'created'),
  'pipeline_schedule_variable.updated': (event) => variableNote(event, 'updated'),
  'pipeline_schedule_variable.deleted': (event) => variableNote(event, 'deleted'),
  'ci_variable.created': (event) => ciVariableNote(event, 'created'),
  'ci_variable.updated': (event) => ciVariableNote(event, 'updated', event.attributes),
  'ci_variable.deleted': (event) => ciVariableNote(event, 'deleted'),
  'runner.created': (event) => runnerNote(event, event.registered ? 'registered' : 'created'),
  'runner.registration_token_reset': ({ container }) => ({
    event: 'runners_token_reset',
    entity: container ? auditedContainer(container) : auditedInstance,
    message: 'Reset the runner registration token',
  }),
  'runner.updated': (event) => runnerNote(event, 'updated', event),
  'runner.token_reset': (event) => runnerNote(event, 'token_reset'),
  'runner.deleted': (event) => runnerNote(event, 'deleted'),
  'runner.assigned': (event) => runnerNote(event, 'assigned_to_project', event),
  'runner.unassigned': (event) => runnerNote(event, 'unassigned_from_project', event),
};
