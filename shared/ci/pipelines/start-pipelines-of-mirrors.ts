import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { MirrorChange } from '../../repositories/project-mirrors/mirror-changes.js';
import { insertPipelines } from './insert-pipelines.js';
import { pipelineRights } from './pipeline-rights.js';

/** Starts pipelines for refs updated by a mirror, as for a push, if the caller may run them. */
export async function startPipelinesOfMirrors(
  ctx: Context<Caller>,
  found: ProjectRecord,
  changes: readonly MirrorChange[],
): Promise<void> {
  const { caller } = ctx;
  // A mirror belongs to a user, who becomes the user of these pipelines.
  if (caller.kind !== 'user') return;
  const acting = ctx.as(caller);
  const rights = await pipelineRights(
    acting,
    changes.map(({ fullName }) => ({ caller, project: found, ref: fullName })),
  );
  await insertPipelines(
    acting,
    changes
      .filter((_, index) => rights[index] === 'allowed')
      .map(({ fullName, to }) => ({
        project_id: found.id,
        ref: fullName,
        sha: to.target_sha,
        source: 'push',
        user_id: caller.id,
        pipeline_schedule_id: null,
        variables: [],
        inputs: null,
      })),
  );
}
