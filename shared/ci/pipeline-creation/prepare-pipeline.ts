import type { SignedInContext } from '../../core/context/context.js';
import { cancelsOlder, insertPipelines } from '../pipelines/insert-pipelines.js';
import { reservePipeline } from '../pipelines/pipeline-refs.js';
import { cancelRedundantPipelines } from '../processing/cancel-redundant-pipelines.js';
import type { Compilation } from '../configuration/compile.types.js';
import { packExplanation } from './explanation.js';
import { insertConfigPipeline } from './insert-config-pipeline.js';
import type { PlanWork } from './insert-config-pipeline.js';
import { sealDefinitions } from './insert-jobs.js';
import { planPipeline } from './plan-pipeline.js';
import type { PipelinePlan, PipelineRequest } from './plan-pipeline.js';

/** A wanted pipeline with what it comes to. */
export interface PreparedPipeline extends PlanWork {
  request: PipelineRequest;
  plan: PipelinePlan;
}

async function reserve(ctx: SignedInContext, { project, sha }: PipelineRequest, compilation: Compilation) {
  const id = await reservePipeline(ctx, { project_id: project.id, sha });
  return { id, definitions: await sealDefinitions(ctx, id, compilation) };
}

/**
 * Does everything that a new pipeline needs before its transaction: compiles its configuration, writes its ref, encrypts
 * its jobs and packs its explanation.
 * @param skips whether the push itself asked for no jobs
 */
export async function preparePipeline(
  ctx: SignedInContext,
  request: PipelineRequest,
  skips = false,
): Promise<PreparedPipeline> {
  const plan = await planPipeline(ctx, request, skips);
  const configuration = plan.kind === 'config' || plan.kind === 'failed' ? plan.configuration : null;
  const explanation = configuration && (await packExplanation(configuration));
  const reserved = plan.kind === 'config' ? await reserve(ctx, request, plan.configuration.compilation) : null;
  return { request, plan, reserved, explanation };
}

/** Makes a prepared pipeline, in the caller's transaction. @returns its id */
export async function insertPlannedPipeline(
  ctx: SignedInContext,
  { request, plan, ...work }: PreparedPipeline,
): Promise<number> {
  if (plan.kind === 'filtered') throw new Error('A pipeline that is filtered is not made.');
  if (plan.kind !== 'record') return insertConfigPipeline(ctx, request, plan, work);
  const { project, ref, sha, source, variables, inputs, pipeline_schedule_id } = request;
  const user_id = ctx.caller.id;
  const [id] = await insertPipelines(ctx, [
    { project_id: project.id, ref, sha, source, user_id, pipeline_schedule_id, variables, inputs },
  ]);
  // Its commit may have no configuration, while older ones of the ref had one.
  if (cancelsOlder(request)) await cancelRedundantPipelines(ctx, [id as number]);
  return id as number;
}
