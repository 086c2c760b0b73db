import { expressionBuilder, sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { reachHoldPoint } from '../../core/context/hold-points.js';
import { getOutage } from '../../core/values/database-errors.js';
import { inSteps } from '../../core/context/in-steps.js';
import { anyOf, cast, constant, secondsAfter } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { CiDatabase } from '../ci.entities.js';
import type { DeletedPipeline } from '../ci.events.js';
import { ALIVE_STATUSES, FINAL_STATUSES } from '../job-states/status-predicates.js';
import { lockPipelines } from '../processing/request-processing.js';
import { removePipelines } from '../pipelines/remove-pipelines.js';

/** Pipelines of one project that one run removes at most, so that no project makes others wait. */
const PROJECT_BATCH = 250;
/** Pipelines that one run removes at most. */
const RUN_BATCH = 5_000;
/** Pipelines that one transaction removes at most: each may have thousands of jobs. */
const BATCH = 20;

/** As the index of pipelines that are over has them. */
const FINAL = FINAL_STATUSES.map((status) => constant(status));
/** A manual job that nobody started does not keep a finished pipeline. */
const BUSY_STATUSES = ALIVE_STATUSES.filter((status) => status !== 'manual');

type Tables = Aliased<
  CiDatabase,
  { pl: 'pipelines'; s: 'project_settings'; p: 'projects'; n: 'namespaces'; j: 'jobs' }
>;
const ofPipelines = expressionBuilder<Tables, 'pl' | 's'>();
const ofProjects = expressionBuilder<Tables, 's' | 'p' | 'n'>();

/** That pipelines of a project `p` with settings `s` are removed once they are old: an archived project is not changed. */
const isPruned = ofProjects.and([
  ofProjects('s.ci_delete_pipelines_in_seconds', 'is not', null),
  ofProjects.not(ofProjects.or([ofProjects.ref('p.archived'), ofProjects.ref('n.archived')])),
  ofProjects.not(ofProjects.ref('n.frozen')),
  ofProjects('p.marked_for_deletion_at', 'is', null),
  ofProjects('p.removal_started_at', 'is', null),
]);

/**
 * That a pipeline `pl` of a configuration is over, no job of it has been started again, and it is past the retention
 * of its project, of the settings `s`.
 */
const isDue = (now: Date) => {
  const eb = ofPipelines;
  const seconds = sql<number>`- ${eb.ref('s.ci_delete_pipelines_in_seconds')}`;
  const busy = expressionBuilder<Tables, 'pl'>()
    .selectFrom('jobs as j')
    .select(eb.lit(1).as('one'))
    .whereRef('j.pipeline_id', '=', 'pl.id')
    .where('j.status', '=', anyOf(BUSY_STATUSES, 'text'));
  return eb.and([
    eb('pl.kind', '=', constant('config')),
    eb('pl.status', 'in', FINAL),
    eb('pl.created_at', '<', secondsAfter(cast(now, 'timestamptz'), seconds)),
    eb.not(eb.exists(busy)),
  ]);
};

/** The oldest pipelines that are due, of each project with such a setting. Projects take turns. */
async function listDue(ctx: Context, now: Date): Promise<number[]> {
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('project_settings as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('pipelines as pl')
          .select((of) => [
            'pl.id',
            of.fn
              .agg<number>('row_number')
              .over((over) => over.orderBy('pl.created_at').orderBy('pl.id'))
              .as('turn'),
          ])
          .whereRef('pl.project_id', '=', 's.project_id')
          .where(isDue(now))
          .orderBy('pl.created_at')
          .orderBy('pl.id')
          .limit(constant(PROJECT_BATCH))
          .as('due'),
      (join) => join.onTrue(),
    )
    .select('due.id')
    .where(isPruned)
    .orderBy('due.turn')
    .orderBy('s.project_id')
    .limit(constant(RUN_BATCH))
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of some pipelines, which are locked, that are still due. */
async function findDue(ctx: Context, ids: readonly number[], now: Date): Promise<DeletedPipeline[]> {
  const rows = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipelines as pl')
    .innerJoin('project_settings as s', 's.project_id', 'pl.project_id')
    .innerJoin('projects as p', 'p.id', 'pl.project_id')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .innerJoin('routes as r', 'r.project_id', 'pl.project_id')
    .select(['pl.id', 'pl.iid', 'pl.project_id', 'r.path as full_path', 'p.namespace_id'])
    .where('pl.id', '=', anyOf(ids, 'bigint'))
    .where(isPruned)
    .where(isDue(now))
    .orderBy('pl.id')
    .execute();
  return rows.map(({ id, iid, project_id, ...project }) => ({ id, iid, project: { id: project_id, ...project } }));
}

async function removeBatch(ctx: Context, ids: readonly number[], now: Date): Promise<number> {
  const [first] = ids as readonly [number, ...number[]];
  await reachHoldPoint(ctx, 'pipelines.pruning', first);
  await lockPipelines(ctx, ids);
  const due = await findDue(ctx, ids, now);
  await removePipelines(ctx, due);
  return due.length;
}

/** What a run did. */
interface Pruning {
  removed: number;
  /** Of the last pipeline that could not be removed. */
  error?: unknown;
}

/** Removes pipelines together, and where that fails one by one, so that one which can't be removed keeps no others. */
async function tryRemoving(ctx: Context, ids: readonly number[], now: Date, pruning: Pruning): Promise<void> {
  try {
    pruning.removed += await ctx.transaction(() => removeBatch(ctx, ids, now));
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (getOutage(error) !== null) throw error;
    if (ids.length > 1) {
      for (const id of ids) await tryRemoving(ctx, [id], now, pruning);
      return;
    }
    ctx.log.error({ err: error, id: ids[0] }, 'pipelines.not_removed');
    pruning.error = error;
  }
}

/**
 * Removes finished pipelines of configurations past the retention in the settings of their projects
 * (`ci_delete_pipelines_in_seconds`). What one run leaves is for the next.
 * @returns how many
 * @throws what the last one failed with that could not be removed, once all others are; and at once where the database
 *   is away
 */
export async function prunePipelines(ctx: Context): Promise<number> {
  const now = ctx.clock.now();
  const ids = await listDue(ctx, now);
  const pruning: Pruning = { removed: 0 };
  let begin = 0;
  if (ids.length > 0)
    await inSteps(ctx, async () => {
      await tryRemoving(ctx, ids.slice(begin, begin + BATCH), now, pruning);
      begin += BATCH;
      return begin < ids.length;
    });
  if (pruning.error !== undefined) throw pruning.error;
  return pruning.removed;
}
