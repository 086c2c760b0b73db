import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { settingColumns } from '../../tenancy/namespaces/declared-settings.js';
import { User } from '../../tenancy/users/user.entity.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import { scheduleSettings } from './schedule-settings.js';

export const PipelineSchedule = defineEntity({
  name: 'PipelineSchedule',
  tableName: 'pipeline_schedules',
  properties: {
    id: id(),
    project_id: relation(Project),
    owner_id: relation(User).nullable(),
    description: p.string(),
    /** Full: `refs/heads/main`. */
    ref: p.string(),
    cron: p.string(),
    /** As sent: an IANA name or a long display name. */
    cron_timezone: p.string(),
    active: p.boolean(),
    ...settingColumns(scheduleSettings),
    /** The exact next time, also while inactive; null when the schedule no longer validates. */
    next_run_at: timestamp().nullable(),
    /** State of the newest run if it is `failed`, `missed`, `skipped` or `config_error`; maintained by the database. */
    trouble: p.string().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type PipelineSchedule = InferEntity<typeof PipelineSchedule>;

/** A variable of a schedule, unique by key. */
export const PipelineScheduleVariable = defineEntity({
  name: 'PipelineScheduleVariable',
  tableName: 'pipeline_schedule_variables',
  properties: {
    id: id(),
    project_id: relation(Project),
    pipeline_schedule_id: relation(PipelineSchedule),
    key: p.string(),
    /** Encrypted, bound to `pipeline_schedule_variables:<schedule id>:<key>`. */
    value: p.uint8array(),
    variable_type: p.string(),
    raw: p.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type PipelineScheduleVariable = InferEntity<typeof PipelineScheduleVariable>;

/** An input of a schedule, unique by name; its value keeps its JSON type. */
export const PipelineScheduleInput = defineEntity({
  name: 'PipelineScheduleInput',
  tableName: 'pipeline_schedule_inputs',
  properties: {
    id: id(),
    project_id: relation(Project),
    pipeline_schedule_id: relation(PipelineSchedule),
    name: p.string(),
    /** JSON text, encrypted, bound to `pipeline_schedule_inputs:<schedule id>:<name>`. */
    value: p.uint8array(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type PipelineScheduleInput = InferEntity<typeof PipelineScheduleInput>;

/** Why a run did not fire. */
export const RUN_CAUSES = [
  'service_down',
  'inactive',
  'daily_limit',
  'owner_missing',
  'owner_blocked',
  'owner_without_rights',
  'ref_protected',
  'ref_missing',
  'pipelines_disabled',
  'project_archived',
  'project_marked',
  'project_importing',
  'values_unreadable',
  'never_runs',
  'not_started',
] as const;
export type RunCause = (typeof RUN_CAUSES)[number];

/** One due time, or one press of play, of a schedule, and what became of it. */
export const PipelineScheduleRun = defineEntity({
  name: 'PipelineScheduleRun',
  tableName: 'pipeline_schedule_runs',
  properties: {
    id: id(),
    project_id: relation(Project),
    pipeline_schedule_id: relation(PipelineSchedule),
    /** When it should run; for `play` the time of the request. */
    due_at: timestamp(),
    /** `cron` or `play`. */
    trigger: p.string(),
    /** The user the pipeline is created for: the owner at that time, or the user who pressed play. */
    user_id: relation(User).nullable(),
    /** `pending`, then `fired`, `failed`, `missed`, `skipped`, `filtered` or `config_error`. */
    state: p.string(),
    /** The reason why it did not fire, as a message. */
    reason: p.string().nullable(),
    /** The same as one of `RUN_CAUSES`. */
    cause: p.string().nullable(),
    pipeline_id: relation(Pipeline).nullable(),
    started_at: timestamp().nullable(),
    created_at: timestamp(),
  },
});
export type PipelineScheduleRun = InferEntity<typeof PipelineScheduleRun>;

/** The version of the time zone data that the next runs of schedules were computed with. */
export const InstanceZoneData = defineEntity({
  name: 'InstanceZoneData',
  tableName: 'instance_zone_data',
  properties: {
    only_one: p.boolean().primary().default(true),
    version: p.string(),
    updated_at: timestamp(),
  },
});

/** A schedule with its project, owner and newest pipeline. */
export interface ScheduleRecord extends PipelineSchedule {
  project: ProjectRecord;
  owner: UserSummary | null;
  last_pipeline: Pipeline | null;
  /** Loaded by the serializers that show them. */
}
