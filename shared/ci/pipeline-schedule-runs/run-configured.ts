import type { SignedInContext } from '../../core/context/context.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { NewPipeline } from '../pipelines/insert-pipelines.js';
import { insertPlannedPipeline, preparePipeline } from '../pipeline-creation/prepare-pipeline.js';
import type { PipelinePlan } from '../pipeline-creation/plan-pipeline.js';
import { finishRuns } from './finish-runs.js';
import { decideAll, loadPending } from './run-decision.js';
import type { Outcome, PendingRun } from './run-decision.js';

/** How often a run begins again since its branch moved while its configuration was compiled. */
const TRIES = 3;

/** A run of which a plan is known. Neither a bad configuration nor one without jobs deactivates the schedule. */
function getOutcome(plan: PipelinePlan, sha: string): Outcome {
  if (plan.kind === 'filtered') return { state: 'filtered', reason: plan.text };
  if (plan.kind === 'failed') return { state: 'config_error', reason: plan.text };
  return { state: 'fired', sha };
}

/** @returns the commit that the branch has by now, if it is another one; nothing was done then */
async function tryRun(
  ctx: SignedInContext,
  run: PendingRun,
  project: ProjectRecord,
  pipeline: NewPipeline,
): Promise<string | null> {
  const { ref, sha, variables, inputs, pipeline_schedule_id } = pipeline;
  const prepared = await preparePipeline(ctx, {
    project,
    ref,
    sha,
    source: 'schedule',
    variables,
    inputs: inputs ?? {},
    pipeline_schedule_id,
  });
  return ctx.transaction(async () => {
    const [still] = await loadPending(ctx, [run.id]);
    if (!still) return null;
    const [decision] = (await decideAll(ctx, [still])) as [Outcome];
    if (decision.state !== 'fired') {
      await finishRuns(ctx, [{ run: still, outcome: decision, pipeline_id: null }]);
      return null;
    }
    if (still.user?.id !== ctx.caller.id)
      throw new Error('The schedule got another owner while its configuration was compiled.');
    if (decision.sha !== sha) return decision.sha;
    const outcome = getOutcome(prepared.plan, sha);
    const pipelineId = prepared.plan.kind === 'filtered' ? null : await insertPlannedPipeline(ctx, prepared);
    await finishRuns(ctx, [{ run: still, outcome, pipeline_id: pipelineId }]);
    return null;
  });
}

/**
 * Makes the pipeline of a pending run from a configuration, as the user of the run (ci-execution.md section 16). Its
 * row is locked by the transaction that makes the pipeline: whoever else does so finds that it is no longer pending.
 */
export async function runConfigured(ctx: SignedInContext, run: PendingRun, pipeline: NewPipeline): Promise<void> {
  // A run has but a few columns of its project.
  const project = await findVisibleProject(ctx, run.project_id);
  // Deleted meanwhile, with its runs.
  if (!project) return;
  let { sha } = pipeline;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const moved = await tryRun(ctx, run, project, { ...pipeline, sha });
    if (moved === null) return;
    sha = moved;
  }
  throw new Error('The branch moved each time that its configuration was compiled.');
}
