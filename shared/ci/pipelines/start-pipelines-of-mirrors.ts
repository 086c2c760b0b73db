import type { Context } from '../../core/context.js';
import type { MirrorChange } from '../../repositories/project-mirrors/mirror-changes.js';
import { refsOpenForRuns } from '../../repositories/repositories/ref-rules.js';
import type { ProjectRecord } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { insertPipelines } from './insert-pipelines.js';

/** Starts pipelines for what a mirror moved, as a push does, where the caller may run them. */
export async function startPipelinesOfMirrors(
  ctx: Context,
  found: ProjectRecord,
  changes: readonly MirrorChange[],
): Promise<void> {
  if (!projectPolicy.create_pipeline(ctx.caller, found)) return;
  const { id: user_id, admin } = ctx.signedInUser;
  const open = await refsOpenForRuns(
    ctx,
    changes.map(({ fullName: full_name }) => ({
      project_id: found.id,
      full_name,
      user_id,
      admin,
      access: found.access,
    })),
  );
  await insertPipelines(
    ctx,
    changes
      .filter((_, index) => open[index])
      .map(({ fullName, to }) => ({
        project_id: found.id,
        ref: fullName,
        sha: to.target_sha,
        source: 'push',
        user_id,
        pipeline_schedule_id: null,
        variables: [],
        inputs: null,
      })),
  );
}
