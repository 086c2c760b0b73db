import type { Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, secondsAfter } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import { hasItsTags, mayUseItsRef, servesItsProject } from '../job-handouts/fitting-jobs.js';
import { FINAL_STATUSES } from '../job-states/status-predicates.js';
import type { JobEnd } from '../processing/end-jobs.js';
import { ONLINE_MS } from '../runners/runner-status.js';
import type { Uptimes } from '../uptimes/uptimes.js';

/** Jobs that one transaction ends at most. */
export const OVERDUE_BATCH = 100;

interface Times {
  /** Time in which nobody could report or ask does not count. */
  uptimes: Uptimes;
  /** Of those alone; null for all. */
  ids: readonly number[] | null;
}

const listStuck = prepareQuery(
  (
    db: Kysely<CiDatabase>,
    values: Placeholders<{ without_runner: Date; pending: Date; online: Date; all: boolean; ids: readonly number[] }>,
  ) =>
    db
      .selectFrom('ci_queue as q')
      .innerJoin('jobs as j', 'j.id', 'q.job_id')
      .innerJoin('projects as p', 'p.id', 'q.project_id')
      .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
      .innerJoin('project_settings as s', 's.project_id', 'p.id')
      .leftJoinLateral(
        (eb) =>
          eb
            .selectFrom('runners as r')
            .select('r.id')
            .where('r.paused', '=', constant(false))
            .where('r.contacted_at', '>=', values.online)
            .where(servesItsProject)
            .where(hasItsTags)
            .where(mayUseItsRef)
            .limit(constant(1))
            .as('matching'),
        (join) => join.onTrue(),
      )
      .select((eb) => ['j.id as job_id', 'j.pipeline_id', eb('matching.id', 'is not', null).as('matches')])
      .where('q.queued_at', '<=', values.without_runner)
      .where((eb) => eb.or([eb('q.queued_at', '<=', values.pending), eb('matching.id', 'is', null)]))
      .where((eb) => eb.or([values.all, eb('j.id', '=', anyOf(values.ids, 'bigint'))]))
      .orderBy('q.id')
      .limit(constant(OVERDUE_BATCH)),
);

/** Queued jobs that no runner has taken for too long: sooner where none could. */
export async function listStuckJobs(ctx: Context<Caller>, { uptimes, ids }: Times): Promise<JobEnd[]> {
  const { ci_stuck_pending_seconds: pending, ci_stuck_pending_without_runner_seconds: without } = ctx.settings;
  const rows = await listStuck(ctx, {
    pending: uptimes.before(pending),
    without_runner: uptimes.before(Math.min(pending, without)),
    online: new Date(uptimes.now.getTime() - ONLINE_MS),
    all: ids === null,
    ids: ids ?? [],
  });
  return rows.map(({ job_id, pipeline_id, matches }) => ({
    job_id,
    pipeline_id,
    status: 'failed',
    failure_reason: matches ? 'stuck_pending_with_matching_runners' : 'stuck_pending_no_matching_runners',
  }));
}

interface SilentTimes {
  /** A job that began by then, its timeout added, is too late. */
  started: Date;
  silent: Date;
  runner_silent: Date;
  canceling: Date;
  all: boolean;
  ids: readonly number[];
}

const selectSilent = (db: Kysely<CiDatabase>, values: Placeholders<SilentTimes>) =>
  db
    .selectFrom('jobs as j')
    .innerJoin('job_runs as x', 'x.job_id', 'j.id')
    .leftJoin('runner_managers as m', 'm.id', 'x.runner_manager_id')
    .select((eb) => [
      'j.id as job_id',
      'j.pipeline_id',
      'j.status',
      eb(secondsAfter(eb.ref('j.started_at'), eb.fn.coalesce('j.timeout', constant(0))), '<=', values.started).as(
        'late',
      ),
    ])
    .where('j.status', 'in', [constant('running'), constant('canceling')])
    .where((eb) =>
      eb.or([
        eb(secondsAfter(eb.ref('j.started_at'), eb.fn.coalesce('j.timeout', constant(0))), '<=', values.started),
        eb.and([eb('j.status', '=', constant('running')), eb('x.contacted_at', '<=', values.silent)]),
        eb.and([
          eb('j.status', '=', constant('running')),
          eb('x.contacted_at', '<=', values.runner_silent),
          eb.or([eb('m.contacted_at', 'is', null), eb('m.contacted_at', '<=', values.runner_silent)]),
        ]),
        eb.and([eb('j.status', '=', constant('canceling')), eb('x.contacted_at', '<=', values.canceling)]),
      ]),
    )
    .where((eb) => eb.or([values.all, eb('j.id', '=', anyOf(values.ids, 'bigint'))]))
    .orderBy('j.id')
    .limit(constant(OVERDUE_BATCH));

const listSilent = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<SilentTimes>) =>
  selectSilent(db, values).where('j.runner_id', 'is not', null),
);

/** They are found by their pipelines: the index of jobs that run is by runner. */
const listSilentWithoutRunner = prepareQuery((db: Kysely<CiDatabase>, values: Placeholders<SilentTimes>) =>
  selectSilent(db, values)
    .innerJoin('pipelines as pl', 'pl.id', 'j.pipeline_id')
    .where('pl.kind', '=', constant('config'))
    .where(
      'pl.status',
      'not in',
      FINAL_STATUSES.map((status) => constant(status)),
    )
    .where('j.runner_id', 'is', null),
);

async function listSilentEnds(
  ctx: Context<Caller>,
  list: typeof listSilent,
  { uptimes, ids }: Times,
): Promise<JobEnd[]> {
  const { settings } = ctx;
  const rows = await list(ctx, {
    started: uptimes.before(settings.ci_timeout_grace_seconds),
    silent: uptimes.before(settings.ci_silent_job_seconds),
    runner_silent: uptimes.before(Math.min(settings.ci_silent_runner_seconds, settings.ci_silent_job_seconds)),
    canceling: uptimes.before(settings.ci_silent_canceling_seconds),
    all: ids === null,
    ids: ids ?? [],
  });
  return rows.map(({ job_id, pipeline_id, status, late }) => {
    const job = { job_id, pipeline_id };
    if (status === 'canceling') return { ...job, status: 'canceled' };
    return { ...job, status: 'failed', failure_reason: late ? 'server_timeout_running' : 'no_updates_running' };
  });
}

/** Jobs in the hands of runners that have run for too long, or about which nothing has been heard for too long. */
export const listSilentJobs = (ctx: Context<Caller>, times: Times): Promise<JobEnd[]> =>
  listSilentEnds(ctx, listSilent, times);

/** The same of jobs whose runner was deleted: its program may still report about them. */
export const listSilentJobsWithoutRunner = (ctx: Context<Caller>, times: Times): Promise<JobEnd[]> =>
  listSilentEnds(ctx, listSilentWithoutRunner, times);
