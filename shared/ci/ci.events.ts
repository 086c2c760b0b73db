import type { ContainerSummary, ProjectSummary } from '../tenancy/tenancy.events.js';
import type { ScheduleRecord } from './pipeline-schedules/pipeline-schedule.entity.js';
import type { Runner } from './runners/runner.entity.js';

/** A variable of a schedule by its key: the value may be a secret. */
interface ScheduleVariableEvent {
  readonly schedule: ScheduleRecord;
  readonly key: string;
}

/** A CI/CD variable by its key and scope, without the value, and the container it belongs to: null is the instance. */
export interface CiVariableEvent {
  readonly container: ContainerSummary | null;
  readonly variable: { readonly id: number; readonly key: string; readonly environment_scope: string };
}

/** A runner, and whose it is: null is the instance. */
export interface RunnerEvent {
  readonly runner: Pick<Runner, 'id' | 'runner_type' | 'description'>;
  readonly owner: ContainerSummary | null;
}

/** A schedule with the project whose audit log records the event. */
export interface ScheduleSummary {
  readonly id: number;
  readonly description: string;
  readonly project: { readonly id: number; readonly full_path: string; readonly namespace_id: number };
}

/** A pipeline that nothing more happens to, unless it is tried again. */
interface FinishedPipeline {
  readonly id: number;
  readonly project_id: number;
  /** Short name of its branch or tag. */
  readonly ref: string;
  readonly sha: string;
  readonly status: string;
}

/** A pipeline that is gone, with the project whose audit log records the event. */
export interface DeletedPipeline {
  readonly id: number;
  readonly iid: number;
  readonly project: ScheduleSummary['project'];
}

/** A job by its name, with the project whose audit log records the event. */
interface JobSummary {
  readonly id: number;
  readonly name: string;
  readonly project: ScheduleSummary['project'];
}

export interface CiEvents {
  /** Its log is gone; the job stays. */
  'job.erased': { readonly job: JobSummary };
  /** A pipeline came to the state that its jobs leave it in. */
  'pipeline.finished': { readonly pipeline: FinishedPipeline };
  'pipeline.deleted': { readonly pipeline: DeletedPipeline };
  'pipeline_schedule.created': { readonly schedule: ScheduleRecord };
  'pipeline_schedule.updated': {
    readonly before: ScheduleRecord;
    readonly after: ScheduleRecord;
    /** By their names: the values may be secrets. */
    readonly inputs: { readonly set: readonly string[]; readonly removed: readonly string[] };
  };
  /** It was deactivated, since its owner may not sign in any more. */
  'pipeline_schedule.owner_stopped': {
    readonly schedule: ScheduleSummary;
    readonly owner: { readonly username: string; readonly state: string };
  };
  /** `schedule` before the change, including the previous owner. */
  'pipeline_schedule.ownership_taken': { readonly schedule: ScheduleRecord; readonly owner_id: number };
  'pipeline_schedule.deleted': { readonly schedule: ScheduleRecord };
  'pipeline_schedule_variable.created': ScheduleVariableEvent;
  'pipeline_schedule_variable.updated': ScheduleVariableEvent;
  'pipeline_schedule_variable.deleted': ScheduleVariableEvent;
  'ci_variable.created': CiVariableEvent;
  /** `attributes`: the names of those that changed, the value among them. */
  'ci_variable.updated': CiVariableEvent & { readonly attributes: readonly string[] };
  'ci_variable.deleted': CiVariableEvent;
  /** `registered`: by a program that sent a registration token. */
  'runner.created': RunnerEvent & { readonly registered: boolean };
  /** The token that runners of a group register with; null is the instance. */
  'runner.registration_token_reset': { readonly container: ContainerSummary | null };
  /** `attributes`: the names of those that changed. */
  'runner.updated': RunnerEvent & { readonly attributes: readonly string[] };
  'runner.token_reset': RunnerEvent;
  'runner.deleted': RunnerEvent;
  'runner.assigned': RunnerEvent & { readonly project: ProjectSummary };
  'runner.unassigned': RunnerEvent & { readonly project: ProjectSummary };
}

declare module '../core/values/events.js' {
  // oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface -- adds the events above
  interface DomainEvents extends CiEvents {}
}
