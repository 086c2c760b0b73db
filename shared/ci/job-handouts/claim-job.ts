import { expressionBuilder, sql } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { reachHoldPoint } from '../../core/context/hold-points.js';
import { constant } from '../../core/database/expressions.js';
import { queueSeconds } from '../../core/metrics/instruments.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import { generateToken } from '../../core/values/secrets.js';
import type { CiDatabase } from '../ci.entities.js';
import { requestProcessing } from '../processing/request-processing.js';
import type { RunnerFeatures } from '../runners/runner.entity.js';
import { acknowledgementNotification } from './put-back-jobs.js';
import { decideHandout } from './decide-handout.js';
import { dropQueuedJob } from './drop-queued-job.js';
import { listFittingProjects, lockFittingJob } from './fitting-jobs.js';

/** Jobs that one request may find unfit to be handed out before it is asked to come again. */
const ATTEMPTS = 20;

/** A runner that asks for a job, and its program that will do it. */
export interface AskingRunner {
  readonly id: number;
}
export interface AskingManager {
  readonly id: number;
  readonly features: RunnerFeatures;
}

/** A job that was handed out. */
export interface JobClaim {
  readonly job_id: number;
  readonly project_id: number;
  readonly pipeline_id: number;
  /** Of its row in `job_runs`. */
  readonly run_id: number;
  /** The plain token of the job, which is stored nowhere. */
  readonly token: string;
  /** Seconds that it may run. */
  readonly timeout: number;
  readonly queued_at: Date;
  readonly handed_out_at: Date;
  /** Jobs of its project on instance runners before this one; null where the runner is none. */
  readonly project_running: number | null;
  /** The job stays pending until the runner reports that it has it. */
  readonly awaits_acknowledgement: boolean;
}

/** What came of one job. */
type Attempt =
  | { claim: JobClaim; starts_pipeline: boolean }
  | 'lost'
  | 'again'
  | { drop: string; job_id: number; pipeline_id: number };

/** Stores that a locked job is in the hands of a runner. */
async function writeHandout(
  ctx: Context<Caller>,
  queued: { id: number; job_id: number; project_id: number },
  values: { runner_id: number; manager: AskingManager; timeout: number; now: Date; token: string; waits: boolean },
): Promise<number> {
  const { runner_id, manager, timeout, now, waits } = values;
  // Another process may have deleted it.
  const managerId = expressionBuilder<CiDatabase>()
    .selectFrom('runner_managers as m')
    .select('m.id')
    .where('m.id', '=', manager.id)
    .$asScalar();
  const run = {
    runner_id,
    runner_manager_id: managerId,
    token_digest: ctx.services.keys.digest(values.token),
    handed_out_at: now,
    acknowledged_at: waits ? null : now,
    contacted_at: now,
    cancels_gracefully: manager.features.cancel_gracefully === true,
  };
  const written = await ctx.em
    .getKysely<CiDatabase>()
    .with('taken', (db) => db.deleteFrom('ci_queue').where('id', '=', queued.id))
    .with('handed', (db) =>
      db
        .updateTable('jobs')
        .set((eb) => ({
          runner_id,
          runner_manager_id: managerId,
          handouts: eb('handouts', '+', constant(1)),
          timeout,
          updated_at: now,
          ...(waits ? {} : { status: 'running', started_at: now }),
        }))
        .where('id', '=', queued.job_id)
        .returning(['id', rowPageNotification('pipelines', sql.ref('project_id')).as('notified')]),
    )
    .with('run', (db) =>
      db
        .insertInto('job_runs')
        .values({ ...run, project_id: queued.project_id, job_id: queued.job_id })
        .onConflict((conflict) => conflict.columns(['project_id', 'job_id']).doUpdateSet(run))
        .returning('id'),
    )
    .selectFrom(['run', 'handed'])
    .select('run.id')
    .$if(waits, (query) => query.select(acknowledgementNotification().as('awaited')))
    .executeTakeFirstOrThrow();
  return written.id;
}

async function tryOnce(
  ctx: Context<Caller>,
  runner: AskingRunner,
  manager: AskingManager,
  projects: Awaited<ReturnType<typeof listFittingProjects>>,
): Promise<Attempt> {
  const queued = await lockFittingJob(
    ctx,
    runner.id,
    projects.map(({ project_id }) => project_id),
  );
  if (!queued) return 'lost';
  const decision = await decideHandout(ctx, queued.job_id, runner.id, manager.features);
  if (decision === null) {
    await ctx.em.getKysely<CiDatabase>().deleteFrom('ci_queue').where('id', '=', queued.id).execute();
    return 'again';
  }
  const { pipeline_id, timeout, drop, starts_pipeline } = decision;
  // Its pipeline is locked first where a job ends, and so not in this transaction.
  if (drop !== null) return { drop, job_id: queued.job_id, pipeline_id };
  await reachHoldPoint(ctx, 'job.claimed', queued.job_id);
  const now = ctx.clock.now();
  const token = generateToken(ctx.settings.job_token_prefix);
  const waits = ctx.settings.ci_two_phase_job_commit && manager.features.two_phase_job_commit === true;
  const values = { runner_id: runner.id, manager, timeout, now, token, waits };
  const { job_id, project_id, queued_at } = queued;
  const claim = {
    job_id,
    project_id,
    pipeline_id,
    run_id: await writeHandout(ctx, queued, values),
    token,
    timeout,
    queued_at,
    handed_out_at: now,
    project_running: projects.find((project) => project.project_id === project_id)?.running ?? null,
    awaits_acknowledgement: waits,
  };
  return { claim, starts_pipeline: starts_pipeline && !waits };
}

/** Has its pipeline processed. Should this fail, the sweep finds the pipeline. */
async function notifyPipeline(ctx: Context<Caller>, pipelineId: number): Promise<void> {
  try {
    await ctx.transaction(() => requestProcessing(ctx, [pipelineId]));
  } catch (error) {
    ctx.log.warn({ err: error, pipeline_id: pipelineId }, 'a pipeline was not told of a job that was handed out');
  }
}

/**
 * Hands a runner the first job that fits it, by transactions of its own. Jobs that may not run any more fail on the way.
 * @returns null if there is none; `lost` if others were faster each time: the runner should ask again
 */
export async function claimJob(
  ctx: Context<Caller>,
  runner: AskingRunner,
  manager: AskingManager,
): Promise<JobClaim | null | 'lost'> {
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const projects = await listFittingProjects(ctx, runner.id);
    if (projects.length === 0) return null;
    const attempt = await ctx.transaction(() => tryOnce(ctx, runner, manager, projects));
    if (attempt === 'lost') return 'lost';
    if (attempt === 'again') continue;
    if ('drop' in attempt) {
      await dropQueuedJob(ctx, attempt, attempt.drop);
      continue;
    }
    const { claim, starts_pipeline } = attempt;
    queueSeconds.observe(Math.max(claim.handed_out_at.getTime() - claim.queued_at.getTime(), 0) / 1000);
    // Nothing follows for one that runs already.
    if (starts_pipeline) await notifyPipeline(ctx, claim.pipeline_id);
    return claim;
  }
  return 'lost';
}
