import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { CANCELABLE_STATUSES, FINAL_STATUSES } from '../job-states/status-predicates.js';
import { selectOlderPipelines } from '../pipelines/older-pipelines.js';
import { cancelPipelineJobs } from './cancel-jobs.js';
import { requestProcessing } from './request-processing.js';

const FINAL = FINAL_STATUSES.map((status) => constant(status));

/** Older pipelines with a configuration that are not over and let new ones cancel them, with their rows locked. */
const lockOlder = (ctx: Context<Caller>, newIds: readonly number[]) =>
  selectOlderPipelines(ctx.em.getKysely<CiDatabase>(), newIds, { kind: 'config', now: ctx.clock.now() })
    .where('old.status', 'not in', FINAL)
    .where((eb) => eb.not(eb(eb.fn.coalesce('old.auto_cancel_on_new_commit', constant('')), '=', constant('none'))))
    .execute();

/**
 * The jobs that end: all of a pipeline of which nothing has begun that must not be interrupted; or, where its
 * configuration says `interruptible`, those that may be. What has begun is asked once for each pipeline, not for each job.
 */
const findRedundantJobs = (ctx: Context<Caller>, pipelineIds: readonly number[]) =>
  ctx.em
    .getKysely<CiDatabase>()
    .with(
      (cte) => cte('older').materialized(),
      (db) =>
        db
          .selectFrom('pipelines as pl')
          .select((eb) => {
            const begun = eb
              .selectFrom('jobs as begun')
              .select(eb.lit(1).as('one'))
              .whereRef('begun.pipeline_id', '=', 'pl.id')
              .where('begun.kind', '=', constant('build'))
              .where('begun.interruptible', '=', constant(false))
              .where('begun.started_at', 'is not', null);
            return ['pl.id', 'pl.auto_cancel_on_new_commit', eb.exists(begun).as('has_begun')];
          })
          .where('pl.id', '=', anyOf(pipelineIds, 'bigint')),
    )
    .selectFrom('older')
    .innerJoin('jobs as j', 'j.pipeline_id', 'older.id')
    .select(['j.id', 'j.pipeline_id'])
    .where('j.kind', '=', constant('build'))
    .where('j.retried', '=', constant(false))
    .where('j.status', '=', anyOf(CANCELABLE_STATUSES as readonly string[], 'text'))
    .where((eb) =>
      eb
        .case()
        .when('older.auto_cancel_on_new_commit', '=', constant('interruptible'))
        .then(eb.ref('j.interruptible'))
        .else(eb.not('older.has_begun'))
        .end(),
    )
    .orderBy('j.id')
    .execute();

/**
 * Cancels what new pipelines make redundant among older pipelines with a configuration, as far as `workflow:auto_cancel`
 * of each lets it.
 */
export async function cancelRedundantPipelines(ctx: Context<Caller>, newIds: readonly number[]): Promise<void> {
  if (newIds.length === 0) return;
  const older = await lockOlder(ctx, newIds);
  if (older.length === 0) return;
  const jobs = await findRedundantJobs(
    ctx,
    older.map(({ id }) => id),
  );
  const canceled = new Set(
    await cancelPipelineJobs(
      ctx,
      jobs.map(({ id }) => id),
    ),
  );
  await requestProcessing(
    ctx,
    jobs.filter(({ id }) => canceled.has(id)).map((job) => job.pipeline_id),
  );
}
