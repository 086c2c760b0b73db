import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import type { MirrorChange } from '../../repositories/project-mirrors/mirror-changes.js';
import { refsOpenForRuns } from '../../repositories/repositories/ref-rules.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { insertPipelines } from './insert-pipelines.js';

/** Starts pipelines for what a mirror moved, as a push does, where the caller may run them. */
export async function startPipelinesOfMirrors(
  ctx: Context<Caller>,
  found: ProjectRecord,
  changes: readonly MirrorChange[],
): Promise<void> {
  const { caller } = ctx;
  // A mirror is of a user, whose pipelines these are.
  if (caller.kind !== 'user' || !projectPolicy.create_pipeline(caller, found)) return;
  const { id: user_id, admin } = caller;
  const acting = ctx.as(caller);
  const open = await refsOpenForRuns(
    acting,
    changes.map(({ fullName: full_name }) => ({
      project_id: found.id,
      full_name,
      user_id,
      admin,
      access: found.access,
    })),
  );
  await insertPipelines(
    acting,
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
