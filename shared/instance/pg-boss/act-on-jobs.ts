import { expressionBuilder, sql } from 'kysely';
import type { Expression, QueryCreator, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant, unnestedRows } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { queueNow } from './tables.js';
import type { JobState, QueueDatabase } from './tables.js';
import { notifyWorkers, wakeQueues } from './queue-channel.js';

const JOB_ACTIONS = ['retry', 'cancel', 'resume', 'delete'] as const;
export type JobAction = (typeof JOB_ACTIONS)[number];

export interface JobRef {
  queue: string;
  id: string;
}

/** The base of statements over jobs: the requested ones. */
interface OfRequested extends QueueDatabase {
  requested: { name: string; id: string };
}

type JobQueries = QueryCreator<OfRequested>;

type Done = JobRef & { waited: boolean };

const on = expressionBuilder<Aliased<QueueDatabase, { j: 'pgboss.job' }>, 'j'>();

/** Retried jobs are retained for as long as new ones. */
const keepUntil = on.fn<Date>('greatest', ['j.keep_until', sql`${queueNow} + interval '14 days'`]);

const isStandard = on(on.fn.coalesce('j.policy', constant('standard')), '=', constant('standard'));

/**
 * The jobs of `requested` that may be queued again: in the passed state, and, if the queue runs one job at a time for a
 * key, only one for each key without a queued or running job.
 */
function waitingAgain(db: JobQueries, state: JobState) {
  const key = (alias: 'j' | 'o') => sql<string>`coalesce(${sql.ref(`${alias}.singleton_key`)}, '')`;
  const slot = on
    .case()
    .when(isStandard)
    .then(on.cast<string>('j.id', 'text'))
    .else(sql<string>`${on.ref('j.name')} || ' ' || ${key('j')}`)
    .end();
  const others = on
    .selectFrom('pgboss.job as o')
    .select(on.lit(1).as('one'))
    .whereRef('o.name', '=', 'j.name')
    .where('o.state', 'in', [constant('created'), constant('retry'), constant('active')])
    .where((eb) => eb(key('o'), '=', key('j')));
  return requestedJobs(db)
    .distinctOn(() => slot)
    .select(['j.name', 'j.id'])
    .where('j.state', '=', constant(state))
    .where(on.or([isStandard, on.not(on.exists(others))]));
}

const requestedJobs = (db: JobQueries) =>
  db
    .selectFrom('requested as a')
    .innerJoin('pgboss.job as j', (join) => join.onRef('j.name', '=', 'a.name').onRef('j.id', '=', 'a.id'));

/**
 * The jobs of `requested` in some states, locked, with whether they were still queued: those will never run if ended
 * now.
 */
const found = (db: JobQueries, states: Expression<SqlBool>) =>
  requestedJobs(db)
    .select(['j.name', 'j.id', on('j.state', '<', constant('active')).$castTo<boolean>().as('waited')])
    .where(states)
    .forUpdate('j');

const DONE = ['d.name as queue', 'd.id', 'd.waited'] as const;

/** What becomes of jobs that wait again. */
interface Change {
  readonly state: Expression<JobState>;
  readonly retry_limit?: Expression<number>;
  readonly start_after?: Expression<Date>;
  readonly singleton_on?: null;
}

/** Has jobs wait again, in a state. */
const again = (db: JobQueries, from: JobState, change: Change): Promise<Done[]> =>
  db
    .with('fit', (of) => waitingAgain(of, from))
    .with('done', (of) =>
      of
        .updateTable('pgboss.job as j')
        .from('fit as f')
        .set({ ...change, completed_on: null, keep_until: keepUntil })
        .whereRef('j.name', '=', 'f.name')
        .whereRef('j.id', '=', 'f.id')
        .where('j.state', '=', constant(from))
        .returning(['j.name', 'j.id', constant<boolean>(false).as('waited')]),
    )
    .selectFrom('done as d')
    .select(DONE)
    .execute();

// The library's own calls act on one queue, return no ids, and fail as a whole if one job cannot be queued.
const ACTIONS: Record<JobAction, (db: JobQueries) => Promise<Done[]>> = {
  retry: (db) =>
    again(db, 'failed', {
      state: constant('retry'),
      retry_limit: sql<number>`j.retry_limit + 1`,
      start_after: queueNow,
    }),
  cancel: (db) =>
    db
      .with(
        (cte) => cte('was').materialized(),
        (of) => found(of, on('j.state', 'in', [constant('created'), constant('retry'), constant('active')])),
      )
      .with('done', (of) =>
        of
          .updateTable('pgboss.job as j')
          .from('was as w')
          .set({ state: constant('cancelled'), completed_on: queueNow })
          .whereRef('j.name', '=', 'w.name')
          .whereRef('j.id', '=', 'w.id')
          .returning(['j.name', 'j.id', 'w.waited']),
      )
      .selectFrom('done as d')
      .select(DONE)
      .execute(),
  // Meanwhile another job may have been sent for its slot of time.
  resume: (db) => again(db, 'cancelled', { state: constant('created'), singleton_on: null }),
  delete: (db) =>
    db
      .with(
        (cte) => cte('was').materialized(),
        (of) => found(of, on('j.state', '<>', constant('active'))),
      )
      .with('done', (of) =>
        of
          .deleteFrom('pgboss.job as j')
          .using('was as w')
          .whereRef('j.name', '=', 'w.name')
          .whereRef('j.id', '=', 'w.id')
          .returning(['j.name', 'j.id', 'w.waited']),
      )
      .with('history', (of) => of.deleteFrom('job_attempts as t').using('done as d').whereRef('t.job_id', '=', 'd.id'))
      .selectFrom('done as d')
      .select(DONE)
      .execute(),
};

/** Notifies code that relies on queued jobs that they will never run. */
export function recordDropped(ctx: Context, jobs: readonly JobRef[]): void {
  if (jobs.length > 0) ctx.record({ type: 'queue_jobs.dropped', jobs: jobs.map(({ queue, id }) => ({ queue, id })) });
}

/**
 * Does one thing to jobs, as far as their state allows: tries failed ones again at once, cancels what waits or runs,
 * resumes cancelled ones, deletes what does not run. In the caller's transaction.
 * @returns those that it was done to
 */
export async function actOnJobs(ctx: Context, action: JobAction, jobs: readonly JobRef[]): Promise<JobRef[]> {
  if (jobs.length === 0) return [];
  const names = jobs.map(({ queue: name, id }) => ({ name, id }));
  const db = ctx.em.getKysely<QueueDatabase>().with(
    (cte) => cte('requested').materialized(),
    (of) => of.selectFrom(unnestedRows(names, { name: 'text', id: 'uuid' }).as('u')).select(['u.name', 'u.id']),
  );
  const done = await ACTIONS[action](db);
  recordDropped(
    ctx,
    done.filter(({ waited }) => waited),
  );
  if (action === 'cancel') await notifyWorkers(ctx);
  else if (action !== 'delete') await wakeQueues(ctx, [...new Set(done.map(({ queue }) => queue))]);
  return done;
}
