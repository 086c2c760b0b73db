import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { CANCELABLE_STATUSES } from '../job-states/status-predicates.js';
import { cancelPipelineJobs } from './cancel-jobs.js';
import { requestProcessing } from './request-processing.js';

const DAY = 86_400_000;
/** Older pipelines than this many milliseconds are left alone. */
const CANCELLABLE_AGE = 7 * DAY;
const FINAL = [constant('success'), constant('failed'), constant('canceled'), constant('skipped')];

/** Older pipelines with a configuration, of the refs of new ones and for other commits, with their rows locked. */
const lockOlder = (ctx: Context<Caller>, newIds: readonly number[]) =>
  ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipelines as fresh')
    .innerJoin('project_settings as s', (join) =>
      join
        .onRef('s.project_id', '=', 'fresh.project_id')
        .on('s.auto_cancel_pending_pipelines', '=', constant('enabled')),
    )
    .innerJoin('pipelines as old', (join) =>
      join
        .onRef('old.project_id', '=', 'fresh.project_id')
        .onRef('old.ref', '=', 'fresh.ref')
        .onRef('old.tag', '=', 'fresh.tag')
        .onRef('old.id', '<', 'fresh.id'),
    )
    .select('old.id')
    .where('fresh.id', '=', anyOf(newIds, 'bigint'))
    .whereRef('old.sha', '<>', 'fresh.sha')
    .where('old.kind', '=', constant('config'))
    .where('old.source', '<>', constant('schedule'))
    .where('old.status', 'not in', FINAL)
    .where('old.created_at', '>', new Date(ctx.clock.now().getTime() - CANCELLABLE_AGE))
    .where((eb) => eb.not(eb(eb.fn.coalesce('old.auto_cancel_on_new_commit', constant('')), '=', constant('none'))))
    .orderBy('old.id')
    .forNoKeyUpdate('old')
    .execute();

/**
 * The jobs that end: all of a pipeline of which nothing has begun that must not be interrupted; or, where its
 * configuration says `interruptible`, those that may be.
 */
const findRedundantJobs = (ctx: Context<Caller>, pipelineIds: readonly number[]) =>
  ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('jobs as j')
    .innerJoin('pipelines as pl', 'pl.id', 'j.pipeline_id')
    .select(['j.id', 'j.pipeline_id'])
    .where('j.pipeline_id', '=', anyOf(pipelineIds, 'bigint'))
    .where('j.kind', '=', constant('build'))
    .where('j.retried', '=', constant(false))
    .where('j.status', '=', anyOf(CANCELABLE_STATUSES as readonly string[], 'text'))
    .where((eb) => {
      const begun = eb
        .selectFrom('jobs as begun')
        .select(eb.lit(1).as('one'))
        .whereRef('begun.pipeline_id', '=', 'j.pipeline_id')
        .where('begun.kind', '=', constant('build'))
        .where('begun.interruptible', '=', constant(false))
        .where('begun.started_at', 'is not', null);
      return eb
        .case()
        .when('pl.auto_cancel_on_new_commit', '=', constant('interruptible'))
        .then(eb.ref('j.interruptible'))
        .else(eb.not(eb.exists(begun)))
        .end();
    })
    .orderBy('j.id')
    .execute();

/**
 * Cancels what new pipelines make redundant among older pipelines with a configuration: those of the same ref that are
 * for another commit, where the project cancels them (`auto_cancel_pending_pipelines`), as far as `workflow:auto_cancel`
 * of each lets it. Runs of schedules are never canceled so.
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
