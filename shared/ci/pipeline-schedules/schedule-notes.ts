import type { DomainEvent } from '../../core/values/events.js';
import { auditedProject, changeNotes } from '../../instance/audit-events/audit-note.js';
import type { AuditNote } from '../../instance/audit-events/audit-note.js';
import type { ScheduleSummary } from '../ci.events.js';
import { SCHEDULE_SETTINGS } from './schedule-settings.js';

/** Fields audited with their old and new values; activation has its own message. */
const AUDITED_FIELDS = ['description', 'ref', 'cron', 'cron_timezone', ...SCHEDULE_SETTINGS] as const;

/** The project's log, about a schedule. */
const about = ({ id, description, project }: ScheduleSummary) => ({
  entity: auditedProject(project),
  target: { type: 'PipelineSchedule', id, details: description },
});

/** What was done to a schedule as a whole. */
export const scheduleNote = (schedule: ScheduleSummary, done: 'created' | 'deleted'): AuditNote => ({
  ...about(schedule),
  event: `pipeline_schedule_${done}`,
  message: `${done === 'created' ? 'Created' : 'Deleted'} pipeline schedule ${schedule.description}`,
});

/** The schedule was deactivated or activated again; `why` is set if no user requested it. */
export const activeNote = (schedule: ScheduleSummary, active: boolean, why = ''): AuditNote => ({
  ...about(schedule),
  event: `pipeline_schedule_${active ? 'activated' : 'deactivated'}`,
  message: `${active ? 'Activated' : 'Deactivated'} pipeline schedule ${schedule.description}${why}`,
  change: { attribute: 'active', from: !active, to: active },
});

/** Names alone: values of inputs may be secrets. */
function inputNotes(schedule: ScheduleSummary, { set, removed }: DomainEvent<'pipeline_schedule.updated'>['inputs']) {
  const note = (names: readonly string[], action: string): AuditNote[] =>
    names.length === 0
      ? []
      : [{ ...about(schedule), event: 'pipeline_schedule_updated', message: `${action} ${names.join(', ')}` }];
  return [...note(set, 'Set inputs'), ...note(removed, 'Removed inputs')];
}

/** How an edit reads in the audit log: one note for each attribute that changed. */
export const scheduleEditNotes = ({ before, after, inputs }: DomainEvent<'pipeline_schedule.updated'>): AuditNote[] => [
  ...changeNotes({ ...about(after), event: 'pipeline_schedule_updated' }, before, after, AUDITED_FIELDS),
  ...(before.active === after.active ? [] : [activeNote(after, after.active)]),
  ...inputNotes(after, inputs),
];

/** From now on, the permissions of another user decide what its pipelines may do. */
export const ownershipNote = ({
  schedule,
  owner_id: ownerId,
}: DomainEvent<'pipeline_schedule.ownership_taken'>): AuditNote => ({
  ...about(schedule),
  event: 'pipeline_schedule_ownership_taken',
  message: `Took ownership of pipeline schedule ${schedule.description}`,
  change: { attribute: 'owner_id', from: schedule.owner_id ?? null, to: ownerId },
});

/** What was done to a variable, by its key: never its value. */
export const variableNote = (
  { schedule, key }: { schedule: ScheduleSummary; key: string },
  done: 'created' | 'updated' | 'deleted',
): AuditNote => ({
  ...about(schedule),
  event: `pipeline_schedule_variable_${done}`,
  message: `${{ created: 'Added', updated: 'Changed', deleted: 'Removed' }[done]} variable ${key}`,
});
