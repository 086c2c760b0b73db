import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SqlBool } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyIn, constant, unnestedColumns } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import { processPipelines } from '../ci.jobs.js';

/** Projects that one hand-out considers: far more than hand-outs run at the same time. */
const PROJECTS = 50;
/** Jobs of each of them: those that others lock are skipped. */
const JOBS = 25;

/** The rows that the conditions below are about, by their aliases. */
interface Aliased extends CiDatabase {
  q: CiDatabase['ci_queue'];
  r: CiDatabase['runners'];
  p: CiDatabase['projects'];
  n: CiDatabase['namespaces'];
  s: CiDatabase['project_settings'];
}
const on = expressionBuilder<Aliased, 'q' | 'r' | 'p' | 'n' | 's'>();

/** Whether the tags of a runner `r` suffice for a queued job `q`. */
export const hasItsTags: Expression<SqlBool> = on.and([
  on('q.tag_list', '<@', on.ref('r.tag_list')),
  on.or([
    on('r.run_untagged', '=', constant(true)),
    on(on.fn<number>('cardinality', ['q.tag_list']), '>', constant(0)),
  ]),
]);

/** Whether a runner `r` may do a queued job `q` for all that its ref is protected or not. */
export const mayUseItsRef: Expression<SqlBool> = on.or([
  on('r.access_level', '<>', constant('ref_protected')),
  on('q.protected', '=', constant(true)),
]);

/** Whether a runner `r` serves a project `p` in a namespace `n`, with its settings `s`. */
export const servesItsProject: Expression<SqlBool> = on.or([
  on.and([on('r.runner_type', '=', constant('instance_type')), on('s.shared_runners_enabled', '=', constant(true))]),
  on.and([
    on('r.runner_type', '=', constant('group_type')),
    on('s.group_runners_enabled', '=', constant(true)),
    on('r.namespace_id', '=', anyIn(on.ref('n.traversal_ids'))),
  ]),
  on.and([
    on('r.runner_type', '=', constant('project_type')),
    on.exists(
      on
        .selectFrom('runner_projects as x')
        .select(constant(1).as('one'))
        .whereRef('x.runner_id', '=', 'r.id')
        .whereRef('x.project_id', '=', 'p.id'),
    ),
  ]),
]);

/** While the queue of what processes pipelines is paused, no job is handed out either. */
export const isPaused = on.exists(
  on
    .selectFrom('queue_controls as c')
    .select(constant(1).as('one'))
    .where('c.queue', '=', constant(processPipelines.name))
    .where('c.paused', '=', constant(true)),
);

/** A project with a job for a runner. */
interface FittingProject {
  project_id: number;
  /** How many of its jobs instance runners have now; null where the runner is none. */
  running: number | null;
}

const listProjects = prepareQuery(
  (db: Kysely<CiDatabase>, { runner_id }: Placeholders<{ runner_id: number }>) =>
    db
      // Each project once, by the next id above the last: many jobs of one project cost as much as one.
      .withRecursive('queued(project_id)', (of) =>
        of
          .selectFrom('ci_queue as q')
          .select(({ fn }) => fn.min<number | null>('q.project_id').as('project_id'))
          .unionAll(
            of
              .selectFrom('queued as last')
              .select((eb) =>
                eb
                  .selectFrom('ci_queue as q')
                  .select(({ fn }) => fn.min<number | null>('q.project_id').as('least'))
                  .whereRef('q.project_id', '>', 'last.project_id')
                  .as('project_id'),
              )
              .where('last.project_id', 'is not', null),
          ),
      )
      .selectFrom('queued')
      .innerJoin('runners as r', (join) => join.on('r.id', '=', runner_id).on('r.paused', '=', constant(false)))
      .innerJoin('projects as p', 'p.id', 'queued.project_id')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .innerJoin('project_settings as s', 's.project_id', 'p.id')
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('ci_queue as q')
            .select('q.job_id')
            .whereRef('q.project_id', '=', 'p.id')
            .where(hasItsTags)
            .where(mayUseItsRef)
            .orderBy('q.job_id')
            .limit(constant(1))
            .as('first'),
        (join) => join.onTrue(),
      )
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('jobs as j')
            .innerJoin('runners as o', 'o.id', 'j.runner_id')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('j.project_id', '=', 'p.id')
            .where('j.status', 'in', [constant('pending'), constant('running'), constant('canceling')])
            .where('o.runner_type', '=', constant('instance_type'))
            .as('running'),
        (join) => join.on('r.runner_type', '=', constant('instance_type')),
      )
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('job_runs as x')
            .select(({ fn }) => fn.max('x.handed_out_at').as('at'))
            .whereRef('x.project_id', '=', 'p.id')
            .as('served'),
        (join) => join.on('r.runner_type', '=', constant('instance_type')),
      )
      .select(['p.id as project_id', 'running.count as running'])
      .where(servesItsProject)
      .where((eb) => eb.not(isPaused))
      .orderBy('running.count')
      .orderBy('served.at', (order) => order.asc().nullsFirst())
      .orderBy('first.job_id')
      .limit(constant(PROJECTS))
      .$castTo<FittingProject>(),
  'list_projects_for_runner',
);

/**
 * Projects with jobs that a runner may take, whose turn is first at the start: of an instance runner the project with
 * the fewest jobs on such runners, then the one that was served longest ago; of another runner the one with the first job.
 */
export const listFittingProjects = (ctx: Context<Caller>, runnerId: number): Promise<FittingProject[]> =>
  listProjects(ctx, { runner_id: runnerId });

/** A queued job that this transaction has locked. */
interface LockedJob {
  id: number;
  job_id: number;
  project_id: number;
  queued_at: Date;
}

const lockFirst = prepareQuery(
  (
    db: Kysely<CiDatabase>,
    { runner_id, project_ids }: Placeholders<{ runner_id: number; project_ids: readonly number[] }>,
  ) =>
    db
      .selectFrom(unnestedColumns({ project_id: [project_ids, 'bigint'] }).withPositionAs('u'))
      .innerJoin('runners as r', (join) => join.on('r.id', '=', runner_id))
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('ci_queue as q')
            .select('q.id')
            .whereRef('q.project_id', '=', 'u.project_id')
            .where(hasItsTags)
            .where(mayUseItsRef)
            .orderBy('q.job_id')
            .limit(constant(JOBS))
            .as('fitting'),
        (join) => join.onTrue(),
      )
      .innerJoin('ci_queue as taken', 'taken.id', 'fitting.id')
      .select(['taken.id', 'taken.job_id', 'taken.project_id', 'taken.queued_at'])
      .orderBy((eb) =>
        eb.case().when('r.runner_type', '=', constant('instance_type')).then(eb.ref('u.position')).else(null).end(),
      )
      .orderBy('taken.job_id')
      .limit(constant(1))
      .forUpdate('taken')
      .skipLocked(),
  'lock_job_for_runner',
);

/** Locks the first job of these projects that no other hand-out has locked; undefined if there is none. */
export async function lockFittingJob(
  ctx: Context<Caller>,
  runnerId: number,
  projectIds: readonly number[],
): Promise<LockedJob | undefined> {
  const [locked] = await lockFirst(ctx, { runner_id: runnerId, project_ids: projectIds });
  return locked;
}
