import type { SignedInContext } from '../../core/context/context.js';
import { cancelsOlder, insertPipelines } from '../pipelines/insert-pipelines.js';
import { reservePipelines } from '../pipelines/pipeline-refs.js';
import { cancelRedundantPipelines } from '../processing/cancel-redundant-pipelines.js';
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

/** Jobs of pipelines that are prepared together: they are held in memory. */
const MAX_JOBS = 200;

type Planned = Omit<PreparedPipeline, 'reserved'>;

async function planOne(ctx: SignedInContext, request: PipelineRequest, skips: boolean): Promise<Planned> {
  const planned = await planPipeline(ctx, request, skips);
  const configuration = planned.kind === 'config' || planned.kind === 'failed' ? planned.configuration : null;
  return { request, plan: planned, explanation: configuration && (await packExplanation(configuration)) };
}

const getCompilation = ({ plan }: Planned) => (plan.kind === 'config' ? plan.configuration.compilation : null);

/** Writes the refs of planned pipelines of one project, and encrypts their jobs. */
async function reserve(ctx: SignedInContext, planned: readonly Planned[]): Promise<PreparedPipeline[]> {
  const withJobs = planned.filter((one) => getCompilation(one) !== null);
  const [first] = withJobs;
  const shas = withJobs.map(({ request }) => request.sha);
  const ids = first ? await reservePipelines(ctx, first.request.project, shas) : [];
  const idOf = new Map(withJobs.map((one, index) => [one, ids[index] as number]));
  const prepared: PreparedPipeline[] = [];
  for (const one of planned) {
    const [id, compilation] = [idOf.get(one), getCompilation(one)];
    const reserved =
      id === undefined || !compilation ? null : { id, definitions: await sealDefinitions(ctx, id, compilation) };
    prepared.push({ ...one, reserved });
  }
  return prepared;
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
  const [prepared] = await reserve(ctx, [await planOne(ctx, request, skips)]);
  return prepared as PreparedPipeline;
}

/** The same for the first of several of one project, as many as may be held at once, and for one at least. */
export async function preparePipelines(
  ctx: SignedInContext,
  requests: readonly PipelineRequest[],
): Promise<PreparedPipeline[]> {
  const planned: Planned[] = [];
  let jobs = 0;
  for (const request of requests) {
    if (jobs >= MAX_JOBS) break;
    const one = await planOne(ctx, request, false);
    planned.push(one);
    jobs += getCompilation(one)?.jobs.length ?? 0;
  }
  return reserve(ctx, planned);
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
