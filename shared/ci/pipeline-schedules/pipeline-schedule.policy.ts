import type { ScheduleRecord } from './pipeline-schedule.entity.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { maySetPipelineVariables } from '../pipelines/pipeline.policy.js';
import { projectPolicy, writable } from '../../tenancy/projects/project.policy.js';

const owns = (caller: UserOrAnonymous, schedule: ScheduleRecord) =>
  !caller.anonymous && schedule.owner_id === caller.id && roleIn(caller, schedule.project, 'developer');

/** Permissions for one schedule (pipeline-schedules.md section 3). The protected-ref rule applies in addition. */
export const pipelineSchedulePolicy = policy({
  read_pipeline_schedule: (caller: UserOrAnonymous, schedule: ScheduleRecord) =>
    projectPolicy.read_pipeline_schedule(caller, schedule.project),
  /** The owner with Developer, or an administrator; a Maintainer takes ownership first. */
  update_pipeline_schedule: (caller: UserOrAnonymous, schedule: ScheduleRecord) =>
    writable(schedule.project) && (caller.admin || owns(caller, schedule)),
  /** A Maintainer, or the owner. */
  admin_pipeline_schedule: (caller: UserOrAnonymous, schedule: ScheduleRecord) =>
    writable(schedule.project) && (roleIn(caller, schedule.project, 'maintainer') || owns(caller, schedule)),
  play_pipeline_schedule: (caller: UserOrAnonymous, schedule: ScheduleRecord) =>
    projectPolicy.create_pipeline(caller, schedule.project),
  read_pipeline_schedule_variables: (caller: UserOrAnonymous, schedule: ScheduleRecord) =>
    roleIn(caller, schedule.project, 'maintainer') || owns(caller, schedule),
  set_pipeline_schedule_variables: (caller: UserOrAnonymous, schedule: ScheduleRecord) =>
    writable(schedule.project) &&
    (caller.admin || owns(caller, schedule)) &&
    maySetPipelineVariables(caller, schedule.project),
  destroy_pipeline_schedule_variables: (caller: UserOrAnonymous, schedule: ScheduleRecord) =>
    writable(schedule.project) &&
    (roleIn(caller, schedule.project, 'maintainer') || owns(caller, schedule)) &&
    maySetPipelineVariables(caller, schedule.project),
});
