import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { rowPageNotification, notifyPages } from '../../core/page-changes/page-changes.js';
import { roleIn } from '../../core/operations/policy.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { Pipeline } from './pipeline.entity.js';
import { fullRefName } from '../../repositories/repositories/ref-records.js';
import { pipeline, findPipeline } from './pipeline.finder.js';
import type { PipelineRecord } from './pipeline.finder.js';
import { pipelinePolicy } from './pipeline.policy.js';
import { ALIVE_STATUSES } from '../job-states/status-predicates.js';
import { syncPipeline } from './pipeline-progress.js';
import { requireRunOnRef } from './pipeline-rights.js';

/** What can be tried again. */
const UNSUCCESSFUL = [constant('failed'), constant('canceled')];

/**
 * Changing a pipeline's state requires permission to create it.
 * @throws Forbidden if the caller may not run pipelines on its ref
 */
export function requireMovable(ctx: Context, found: PipelineRecord): Promise<void> {
  return requireRunOnRef(ctx, found.project, fullRefName(found.tag ? 'tag' : 'branch', found.ref));
}

/** Makes new jobs, waiting, for those that failed or were canceled. @returns how many */
async function retryJobs(ctx: SignedInContext, found: PipelineRecord): Promise<number> {
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

/** Let a pipeline try again what failed or was canceled: its executor finds those jobs waiting. */
export const retryPipeline = operation({
  name: 'retryPipeline',
  summary: 'Retry a pipeline',
  resource: pipeline,
  can: can(pipelinePolicy, 'update_pipeline'),
  kind: 'write',
  async run(ctx, found) {
    await requireMovable(ctx, found);
    if ((await retryJobs(ctx, found)) > 0) await syncPipeline(ctx, found.id);
    // Canceled before any executor took it up: it waits for one again.
    else await waitAgain(ctx, found.id);
    return findPipeline(ctx, found.project, found.id);
  },
});

/**
 * @throws Forbidden if the project does not let the caller, or any user, cancel
 * (`ci_restrict_pipeline_cancellation_role`)
 */
async function requireCancelRole(ctx: Context, { project }: PipelineRecord): Promise<void> {
  const found = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('project_settings as s')
    .select('s.ci_restrict_pipeline_cancellation_role as role')
    .where('s.project_id', '=', project.id)
    .executeTakeFirst();
  const role = found?.role ?? 'developer';
  if (role === 'no_one' || (role === 'maintainer' && !roleIn(ctx.caller, project, 'maintainer'))) throw new Forbidden();
}

/**
 * Cancel the unfinished jobs of a pipeline. Executors notice it by the state; having nothing to cancel is not an error.
 */
export const cancelPipeline = operation({
  name: 'cancelPipeline',
  summary: 'Cancel a pipeline',
  resource: pipeline,
  can: can(pipelinePolicy, 'update_pipeline'),
  kind: 'write',
  async run(ctx, found) {
    await requireMovable(ctx, found);
    await requireCancelRole(ctx, found);
    if (!ALIVE_STATUSES.includes(found.status)) return found;
    const now = ctx.clock.now();
    await ctx.em
      .getKysely<CiDatabase>()
      .updateTable('jobs')
      .set({ status: constant('canceled'), finished_at: now, updated_at: now })
      .where('pipeline_id', '=', found.id)
      .where('retried', '=', constant(false))
      .where('status', '=', anyOf(ALIVE_STATUSES, 'text'))
      .execute();
    await ctx.em.nativeUpdate(Pipeline, { id: found.id }, { status: 'canceled', finished_at: now, updated_at: now });
    const { id, project_id, ref, sha } = found;
    ctx.record({ type: 'pipeline.finished', pipeline: { id, project_id, ref, sha, status: 'canceled' } });
    await syncPipeline(ctx, found.id);
    // Also one without jobs.
    await notifyPages(ctx, 'pipelines', [project_id]);
    return findPipeline(ctx, found.project, found.id);
  },
});
