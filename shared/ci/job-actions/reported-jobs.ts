import type { Context, SignedInContext } from '../../core/context/context.js';
import { rowPageNotification, notifyPages } from '../../core/page-changes/page-changes.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { ALIVE_STATUSES } from '../job-states/status-predicates.js';
import { Pipeline } from '../pipelines/pipeline.entity.js';
import type { PipelineRecord } from '../pipelines/pipeline.finder.js';
import { syncPipeline } from '../pipelines/pipeline-progress.js';

/** What can be tried again. */
const UNSUCCESSFUL = [constant('failed'), constant('canceled')];

/** Makes new jobs, waiting, for those that failed or were canceled. @returns how many */
async function retryReportedJobs(ctx: SignedInContext, found: PipelineRecord): Promise<number> {
  const now = ctx.clock.now();
  const db = ctx.em.getKysely<CiDatabase>();
  const old = await db
    .updateTable('jobs')
    .set({ retried: true, updated_at: now })
    .where('pipeline_id', '=', found.id)
    .where('retried', '=', constant(false))
    .where('status', 'in', UNSUCCESSFUL)
    .returning('id')
    .execute();
  if (old.length === 0) return 0;
  const ids = old.map(({ id }) => id);
  await db
    .insertInto('jobs')
    .columns([
      'project_id',
      'pipeline_id',
      'name',
      'stage',
      'status',
      'allow_failure',
      'user_id',
      'queued_at',
      'created_at',
      'updated_at',
    ])
    .expression((eb) =>
      eb
        .selectFrom('jobs as j')
        .select([
          'j.project_id',
          'j.pipeline_id',
          'j.name',
          'j.stage',
          constant('pending').as('status'),
          'j.allow_failure',
          eb.val(ctx.caller.user.id).as('user_id'),
          eb.val(now).as('queued_at'),
          eb.val(now).as('created_at'),
          eb.val(now).as('updated_at'),
        ])
        .where('j.id', '=', anyOf(ids, 'bigint'))
        .orderBy('j.id'),
    )
    .execute();
  return old.length;
}

/** Has a pipeline without jobs wait for an executor. */
async function waitAgain(ctx: Context, pipelineId: number): Promise<void> {
  await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('pipelines as pl')
    .set({ status: constant('pending'), finished_at: null, updated_at: ctx.clock.now() })
    .where('pl.id', '=', pipelineId)
    .where('pl.status', 'in', UNSUCCESSFUL)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('jobs as j').select(eb.lit(1).as('one')).whereRef('j.pipeline_id', '=', 'pl.id'))),
    )
    .returning((eb) => rowPageNotification('pipelines', eb.ref('pl.project_id')).as('notified'))
    .execute();
}

/** Has what was reported of a pipeline as failed or canceled wait again for its executor. */
export async function retryReportedPipeline(ctx: SignedInContext, found: PipelineRecord): Promise<void> {
  if ((await retryReportedJobs(ctx, found)) > 0) await syncPipeline(ctx, found.id);
  // Canceled before any executor took it up: it waits for one again.
  else await waitAgain(ctx, found.id);
}

/** Cancels the jobs of a pipeline that outside executors report and that are not over. */
export async function cancelReportedJobs(ctx: Context, pipelineId: number, jobIds?: readonly number[]): Promise<void> {
  const now = ctx.clock.now();
  await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('jobs')
    .set({ status: constant('canceled'), finished_at: now, updated_at: now })
    .where('pipeline_id', '=', pipelineId)
    .where('kind', '=', constant('status'))
    .where('retried', '=', constant(false))
    .where('status', '=', anyOf(ALIVE_STATUSES, 'text'))
    .$if(jobIds !== undefined, (of) => of.where('id', '=', anyOf(jobIds ?? [], 'bigint')))
    .execute();
}

/** Cancels a pipeline that records reports: also one that nobody has reported anything of. */
export async function cancelReportedPipeline(ctx: Context, found: PipelineRecord): Promise<void> {
  const now = ctx.clock.now();
  const { id, project_id, ref, sha } = found;
  await cancelReportedJobs(ctx, id);
  await ctx.em.nativeUpdate(Pipeline, { id }, { status: 'canceled', finished_at: now, updated_at: now });
  ctx.record({ type: 'pipeline.finished', pipeline: { id, project_id, ref, sha, status: 'canceled' } });
  await syncPipeline(ctx, id);
  // Also one without jobs.
  await notifyPages(ctx, 'pipelines', [project_id]);
}
