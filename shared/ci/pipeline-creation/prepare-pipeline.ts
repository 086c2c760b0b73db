import type { SignedInContext } from '../../core/context/context.js';
import { cancelsOlder, insertPipelines } from '../pipelines/insert-pipelines.js';
import { reservePipeline } from '../pipelines/pipeline-refs.js';
import { cancelRedundantPipelines } from '../processing/cancel-redundant-pipelines.js';
import { insertConfigPipeline } from './insert-config-pipeline.js';
import { planPipeline } from './plan-pipeline.js';
import type { PipelinePlan, PipelineRequest } from './plan-pipeline.js';

/** A wanted pipeline with what it comes to. */
export interface PreparedPipeline {
  request: PipelineRequest;
  plan: PipelinePlan;
  /** The id under which its ref was written; null for a pipeline without jobs. */
  reservedId: number | null;
}

/**
 * Does everything that a new pipeline needs before its transaction: compiles its configuration and writes its ref.
 * @param skips whether the push itself asked for no jobs
 */
export async function preparePipeline(
  ctx: SignedInContext,
  request: PipelineRequest,
  skips = false,
): Promise<PreparedPipeline> {
  const plan = await planPipeline(ctx, request, skips);
  const { project, sha } = request;
  const reservedId = plan.kind === 'config' ? await reservePipeline(ctx, { project_id: project.id, sha }) : null;
  return { request, plan, reservedId };
}

/** Makes a prepared pipeline, in the caller's transaction. @returns its id */
export async function insertPlannedPipeline(
  ctx: SignedInContext,
  { request, plan, reservedId }: PreparedPipeline,
): Promise<number> {
  if (plan.kind === 'filtered') throw new Error('A pipeline that is filtered is not made.');
  if (plan.kind !== 'record') return insertConfigPipeline(ctx, request, plan, reservedId);
  const { project, ref, sha, source, variables, inputs, pipeline_schedule_id } = request;
  const user_id = ctx.caller.id;
  const [id] = await insertPipelines(ctx, [
    { project_id: project.id, ref, sha, source, user_id, pipeline_schedule_id, variables, inputs },
  ]);
  // Its commit may have no configuration, while older ones of the ref had one.
  if (cancelsOlder(request)) await cancelRedundantPipelines(ctx, [id as number]);
  return id as number;
}
