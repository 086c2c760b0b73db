import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { findSkippedFollowers } from '../job-states/skipped-followers.js';
import { findJob } from '../jobs/job.finder.js';
import type { JobRecord } from '../jobs/job.finder.js';
import { requireMovable } from '../pipelines/pipeline-rights.js';
import { loadPipelineJobs, loadPipelineNeeds } from '../processing/load-pipeline-jobs.js';
import { lockPipelines } from '../processing/request-processing.js';

/**
 * A job as it is now, with its pipeline's row locked: nobody else changes it before the transaction ends, except a
 * hand-out.
 * @throws Forbidden if the caller may not run pipelines on its ref
 */
export async function lockJob(ctx: Context, found: JobRecord): Promise<JobRecord> {
  await requireMovable(ctx, { ...found.pipeline, project: found.project });
  await lockPipelines(ctx, [found.pipeline_id]);
  return findJob(ctx, found.project, found.id);
}

/** Has it decided anew whether jobs that were skipped run, since jobs before them begin again. */
export async function reopenFollowers(ctx: Context, pipelineId: number, names: readonly string[]): Promise<void> {
  const { configured } = await loadPipelineJobs(ctx, pipelineId);
  if (!configured.some((job) => job.status === 'skipped')) return;
  const ids = findSkippedFollowers(configured, await loadPipelineNeeds(ctx, pipelineId), names);
  if (ids.length === 0) return;
  await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('jobs')
    .set({ status: constant('created'), updated_at: ctx.clock.now() })
    .where('id', '=', anyOf(ids, 'bigint'))
    .where('status', '=', constant('skipped'))
    .execute();
}
