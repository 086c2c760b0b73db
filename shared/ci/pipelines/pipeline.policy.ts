import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { projectPolicy, writable } from '../../tenancy/projects/project.policy.js';
import type { PipelineRecord } from './pipeline.finder.js';

const OVERRIDE_ROLES = { developer: 'developer', maintainer: 'maintainer', owner: 'owner' } as const;

/** Whether the caller may give variables to pipelines of the project (pipeline-schedules.md section 3). */
export function maySetPipelineVariables(caller: UserOrAnonymous, project: ProjectRecord): boolean {
  const setting = project.ci_pipeline_variables_minimum_override_role;
  if (setting === 'no_one_allowed') return false;
  return roleIn(caller, project, OVERRIDE_ROLES[setting as keyof typeof OVERRIDE_ROLES] ?? 'owner');
}

/**
 * A schedule's values are visible only to its owner, not to every Developer who played it. If the schedule has been
 * deleted, no user is its owner.
 */
const showsOwnValues = (caller: UserOrAnonymous, { source, schedule_owner_id: owner }: PipelineRecord) =>
  source !== 'schedule' || owner === caller.id;

/** Permissions for one pipeline (delivery-resources.md section 3). The protected-ref rule applies in addition. */
export const pipelinePolicy = policy({
  /** Maintainers, and the user it was created for while they are a Developer. */
  read_pipeline_variable: (caller: UserOrAnonymous, pipeline: PipelineRecord) =>
    roleIn(caller, pipeline.project, 'maintainer') ||
    (!caller.anonymous &&
      pipeline.user_id === caller.id &&
      roleIn(caller, pipeline.project, 'developer') &&
      showsOwnValues(caller, pipeline)),
  update_pipeline: (caller: UserOrAnonymous, pipeline: PipelineRecord) =>
    projectPolicy.create_pipeline(caller, pipeline.project),
  /** Owners only; a Maintainer may not. */
  destroy_pipeline: (caller: UserOrAnonymous, pipeline: PipelineRecord) =>
    writable(pipeline.project) && roleIn(caller, pipeline.project, 'owner'),
});
