import type { Caller } from '../core/context.js';
import { policy, roleIn } from '../core/policy.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { projectPolicy, writable } from '../projects/project.policy.js';
import type { PipelineRecord } from './pipeline.finder.js';

const OVERRIDE_ROLES = { developer: 'developer', maintainer: 'maintainer', owner: 'owner' } as const;

/** Whether the caller may give variables to pipelines of the project (pipeline-schedules.md section 3). */
export function maySetPipelineVariables(caller: Caller, project: ProjectRecord): boolean {
  const setting = project.ci_pipeline_variables_minimum_override_role;
  if (setting === 'no_one_allowed') return false;
  return roleIn(caller, project, OVERRIDE_ROLES[setting as keyof typeof OVERRIDE_ROLES] ?? 'owner');
}

/** Who may do what with one pipeline (delivery-resources.md section 3). The protected-ref rule comes on top. */
export const pipelinePolicy = policy({
  /** Developers, and whom it was made for. */
  read_pipeline_variable: (caller: Caller, pipeline: PipelineRecord) =>
    roleIn(caller, pipeline.project, 'developer') || (!caller.anonymous && pipeline.user_id === caller.id),
  update_pipeline: (caller: Caller, pipeline: PipelineRecord) =>
    projectPolicy.create_pipeline(caller, pipeline.project),
  /** Owners only; a Maintainer may not. */
  destroy_pipeline: (caller: Caller, pipeline: PipelineRecord) =>
    writable(pipeline.project) && roleIn(caller, pipeline.project, 'owner'),
});
