import type { Caller } from '../core/context.js';
import { policy, roleIn } from '../core/policy.js';
import { projectPolicy, writable } from '../projects/project.policy.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import type { ScheduleRecord } from './pipeline-schedule.finder.js';

const owns = (caller: Caller, schedule: ScheduleRecord) =>
  !caller.anonymous && schedule.owner_id === caller.id && roleIn(caller, schedule.project, 'developer');

const OVERRIDE_ROLES = { developer: 'developer', maintainer: 'maintainer', owner: 'owner' } as const;

/** Whether the caller may give variables to pipelines of the project (pipeline-schedules.md section 3). */
export function maySetPipelineVariables(caller: Caller, project: ProjectRecord): boolean {
  const setting = project.ci_pipeline_variables_minimum_override_role;
  if (setting === 'no_one_allowed') return false;
  return roleIn(caller, project, OVERRIDE_ROLES[setting as keyof typeof OVERRIDE_ROLES] ?? 'owner');
}

/** Who may do what with one schedule (pipeline-schedules.md section 3). The protected-ref rule comes on top. */
export const pipelineSchedulePolicy = policy({
  read_pipeline_schedule: (caller: Caller, schedule: ScheduleRecord) =>
    projectPolicy.read_pipeline_schedule(caller, schedule.project),
  /** The owner with Developer, or an administrator; a Maintainer takes ownership first. */
  update_pipeline_schedule: (caller: Caller, schedule: ScheduleRecord) =>
    writable(schedule.project) && (caller.admin || owns(caller, schedule)),
  /** A Maintainer, or the owner. */
  admin_pipeline_schedule: (caller: Caller, schedule: ScheduleRecord) =>
    writable(schedule.project) && (roleIn(caller, schedule.project, 'maintainer') || owns(caller, schedule)),
  play_pipeline_schedule: (caller: Caller, schedule: ScheduleRecord) =>
    projectPolicy.create_pipeline(caller, schedule.project),
  read_pipeline_schedule_variables: (caller: Caller, schedule: ScheduleRecord) =>
    roleIn(caller, schedule.project, 'maintainer') || owns(caller, schedule),
  set_pipeline_schedule_variables: (caller: Caller, schedule: ScheduleRecord) =>
    writable(schedule.project) &&
    (caller.admin || owns(caller, schedule)) &&
    maySetPipelineVariables(caller, schedule.project),
  destroy_pipeline_schedule_variables: (caller: Caller, schedule: ScheduleRecord) =>
    writable(schedule.project) &&
    (roleIn(caller, schedule.project, 'maintainer') || owns(caller, schedule)) &&
    maySetPipelineVariables(caller, schedule.project),
});
