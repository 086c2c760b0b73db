import type { SignedInContext } from '../../core/context/context.js';
import { notifyPages } from '../../core/page-changes/page-changes.js';
import { isTagRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import type { CiDatabase } from '../ci.entities.js';
import { cancelOutdatedPipelines } from '../pipelines/cancel-outdated-pipelines.js';
import {
  cancelsOlder,
  insertVariables,
  NO_BEFORE_SHA,
  reserveNumbers,
  sealInputs,
} from '../pipelines/insert-pipelines.js';
import { cancelRedundantPipelines } from '../processing/cancel-redundant-pipelines.js';
import { requestProcessing } from '../processing/request-processing.js';
import { storeExplanation } from './explanation.js';
import { insertJobs } from './insert-jobs.js';
import type { PipelinePlan, PipelineRequest } from './plan-pipeline.js';

const MAX_NAME = 255;

/** What a new pipeline has unless its plan says otherwise. */
const DEFAULTS = {
  name: null as string | null,
  yaml_errors: null as string | null,
  failure_reason: null as string | null,
  stages: [] as string[],
  protected: false as boolean,
  auto_cancel_on_new_commit: null as string | null,
  auto_cancel_on_job_failure: null as string | null,
  finished_at: null as Date | null,
  processed_at: null,
  coverage: null,
  started_at: null,
  committed_at: null,
  duration: null,
  queued_duration: null,
};

type Outcome = Partial<typeof DEFAULTS> & { status: string; id?: number };

/** Writes the row of a pipeline with a configuration, its variables and inputs, and cancels what it makes redundant. */
async function insertRow(ctx: SignedInContext, request: PipelineRequest, outcome: Outcome): Promise<number> {
  const { project, ref, sha, source, inputs, variables, before_sha: beforeSha } = request;
  const now = ctx.clock.now();
  const iid = (await reserveNumbers(ctx, new Map([[project.id, 1]]))).get(project.id) as number;
  const { id } = await ctx.em
    .getKysely<CiDatabase>()
    .insertInto('pipelines')
    .values({
      project_id: project.id,
      iid,
      kind: 'config',
      ref: shortRef(ref),
      tag: isTagRef(ref),
      sha,
      before_sha: beforeSha ?? NO_BEFORE_SHA,
      source,
      user_id: ctx.caller.id,
      pipeline_schedule_id: request.pipeline_schedule_id,
      inputs: sealInputs(ctx, project.id, iid, inputs),
      created_at: now,
      updated_at: now,
      ...DEFAULTS,
      ...outcome,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertVariables(ctx, [{ project_id: project.id, variables }], [id]);
  if (outcome.status === 'created' && cancelsOlder(request)) {
    await cancelOutdatedPipelines(ctx, [id]);
    await cancelRedundantPipelines(ctx, [id]);
  }
  await notifyPages(ctx, 'pipelines', [project.id]);
  return id;
}

/** A pipeline that never has jobs: its configuration cannot be used, or its commit asks for none. */
async function insertEnded(
  ctx: SignedInContext,
  request: PipelineRequest,
  outcome: Outcome,
  explanation: Buffer | null,
): Promise<number> {
  const { project, ref, sha } = request;
  const id = await insertRow(ctx, request, { ...outcome, finished_at: ctx.clock.now() });
  if (explanation) await storeExplanation(ctx, project.id, id, explanation);
  const { status } = outcome;
  ctx.record({
    type: 'pipeline.finished',
    pipeline: { id, project_id: project.id, ref: shortRef(ref), sha, status },
  });
  return id;
}

/** What takes too long for the transaction of a pipeline. */
export interface PlanWork {
  /** The id under which the ref of the pipeline was written, and its jobs encrypted; null for one without jobs. */
  reserved: { id: number; definitions: readonly Buffer[] } | null;
  explanation: Buffer | null;
}

/**
 * Makes the pipeline of a plan, in the caller's transaction, with a number of statements that does not depend on how
 * many jobs it has (ci-execution.md section 2). Its jobs are worked out by a job of their own, once it is committed.
 */
export async function insertConfigPipeline(
  ctx: SignedInContext,
  request: PipelineRequest,
  plan: Extract<PipelinePlan, { kind: 'config' | 'failed' | 'skipped' }>,
  { reserved, explanation }: PlanWork,
): Promise<number> {
  if (plan.kind === 'skipped') return insertEnded(ctx, request, { status: 'skipped' }, null);
  if (plan.kind === 'failed') {
    const outcome = { status: 'failed', yaml_errors: plan.text, failure_reason: plan.reason };
    return insertEnded(ctx, request, outcome, explanation);
  }
  if (!reserved) throw new Error('A pipeline with jobs has an id before it is made.');
  const { compilation, isProtected } = plan.configuration;
  const { workflow } = compilation;
  const id = await insertRow(ctx, request, {
    id: reserved.id,
    status: 'created',
    name: workflow?.name?.slice(0, MAX_NAME) ?? null,
    protected: isProtected,
    stages: compilation.stages,
    auto_cancel_on_new_commit: workflow?.auto_cancel.on_new_commit ?? null,
    auto_cancel_on_job_failure: workflow?.auto_cancel.on_job_failure ?? null,
  });
  const pipeline = { id, project_id: request.project.id, protected: isProtected };
  await insertJobs(ctx, pipeline, compilation, reserved.definitions);
  if (explanation) await storeExplanation(ctx, request.project.id, id, explanation);
  await requestProcessing(ctx, [id]);
  return id;
}
