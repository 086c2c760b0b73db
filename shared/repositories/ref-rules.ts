import type { Context } from '../core/context.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';

/**
 * Whether the caller may run pipelines on a ref: Developers on any, by the rules of its protection on a
 * protected one (pipeline-schedules.md section 3).
 * @param _fullRef `refs/heads/…` or `refs/tags/…`
 */
export function mayRunOnRef(ctx: Context, project: ProjectRecord, _fullRef: string): Promise<boolean> {
  return Promise.resolve(projectPolicy.create_pipeline(ctx.caller, project));
}
