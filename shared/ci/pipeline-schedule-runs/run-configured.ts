import type { SignedInContext } from '../../core/context/context.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { NewPipeline } from '../pipelines/insert-pipelines.js';
import { insertPlannedPipeline, preparePipelines } from '../pipeline-creation/prepare-pipeline.js';
import type { PreparedPipeline } from '../pipeline-creation/prepare-pipeline.js';
import type { PipelinePlan, PipelineRequest } from '../pipeline-creation/plan-pipeline.js';
import { finishRuns } from './finish-runs.js';
import type { FinishedRun } from './finish-runs.js';
import { decideAll, loadPending } from './run-decision.js';
import type { Outcome, PendingRun } from './run-decision.js';

/** How often a run begins again since its branch moved, or it got another one, while its configuration was compiled. */
const TRIES = 3;

/** A run with the pipeline that it wants. */
export interface ConfiguredRun {
  run: PendingRun;
  pipeline: NewPipeline;
}

/** A run of which a plan is known. Neither a bad configuration nor one without jobs deactivates the schedule. */
function getOutcome(plan: PipelinePlan, sha: string): Outcome {
  if (plan.kind === 'filtered') return { state: 'filtered', reason: plan.text };
  if (plan.kind === 'failed') return { state: 'config_error', reason: plan.text };
  return { state: 'fired', sha };
}

function createRequest(project: ProjectRecord, { pipeline }: ConfiguredRun): PipelineRequest {
  const { ref, sha, variables, inputs, pipeline_schedule_id } = pipeline;
  return { project, ref, sha, source: 'schedule', variables, inputs: inputs ?? {}, pipeline_schedule_id };
}

/**
 * Makes prepared pipelines, in one transaction.
 * @returns the runs that it finished, and those whose branch moved or is another, for what it is now
 */
function insertPrepared(
  ctx: SignedInContext,
  configured: readonly ConfiguredRun[],
  prepared: readonly PreparedPipeline[],
): Promise<{ moved: ConfiguredRun[]; finished: FinishedRun[] }> {
  const indexes = new Map(configured.map(({ run }, index) => [run.id, index]));
  return ctx.transaction(async () => {
    const pending = await loadPending(ctx, [...indexes.keys()]);
    const decisions = await decideAll(ctx, pending);
    const moved: ConfiguredRun[] = [];
    const finished: FinishedRun[] = [];
    for (const [at, run] of pending.entries()) {
      const decision = decisions[at] as Outcome;
      const index = indexes.get(run.id) as number;
      const { pipeline } = configured[index] as ConfiguredRun;
      const ready = prepared[index] as PreparedPipeline;
      if (decision.state !== 'fired') {
        finished.push({ run, outcome: decision, pipeline_id: null });
        continue;
      }
      if (run.user?.id !== ctx.caller.id)
        throw new Error('The schedule got another owner while its configuration was compiled.');
      const { ref } = run.schedule;
      if (ref !== pipeline.ref || decision.sha !== pipeline.sha) {
        moved.push({ run, pipeline: { ...pipeline, ref, sha: decision.sha } });
        continue;
      }
      const pipelineId = ready.plan.kind === 'filtered' ? null : await insertPlannedPipeline(ctx, ready);
      finished.push({ run, outcome: getOutcome(ready.plan, pipeline.sha), pipeline_id: pipelineId });
    }
    await finishRuns(ctx, finished);
    return { moved, finished };
  });
}

/**
 * Makes the pipelines of pending runs of one project and one user from its configuration, as that user
 * (ci-execution.md section 16). Their rows are locked by the transaction that makes the pipelines: whoever else does so
 * finds that they are no longer pending.
 * @param onFinished is told the id of each run once that is committed: also where others fail after it
 */
export async function runConfigured(
  ctx: SignedInContext,
  configured: readonly ConfiguredRun[],
  onFinished: (runId: number) => void = () => undefined,
): Promise<void> {
  const [first] = configured;
  // A run has but a few columns of its project.
  const project = first && (await findVisibleProject(ctx, first.run.project_id));
  // Deleted meanwhile, with its runs.
  if (!project) return;
  let left = configured;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const moved: ConfiguredRun[] = [];
    while (left.length > 0) {
      const prepared = await preparePipelines(
        ctx,
        left.map((one) => createRequest(project, one)),
      );
      const result = await insertPrepared(ctx, left.slice(0, prepared.length), prepared);
      for (const { run } of result.finished) onFinished(run.id);
      moved.push(...result.moved);
      left = left.slice(prepared.length);
    }
    if (moved.length === 0) return;
    left = moved;
  }
  throw new Error('The branch moved each time that its configuration was compiled.');
}
