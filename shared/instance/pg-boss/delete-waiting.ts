import { expressionBuilder, sql } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { Queryable } from '../../core/database/database.js';
import { constant } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import { runQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import { selectJobContext } from './tables.js';
import type { QueueDatabase } from './tables.js';
import { recordDropped } from './act-on-jobs.js';

/** Jobs that are deleted at most: far less than 30 s of work. */
const MOST = 10_000;

/** The result; if `completed` is false, call again. */
export interface DeletedJobs {
  completed: boolean;
  deleted_jobs: number;
  /** Jobs that still wait in the queue. */
  queue_size: number;
}

/** Selects jobs to delete: by id, by their queue as `worker_class`, or by the value of a context key. */
export interface JobMark {
  key: string;
  value: string;
}

const on = expressionBuilder<Aliased<QueueDatabase, { j: 'pgboss.job' }>, 'j'>();

function hasMark({ key, value }: JobMark): Expression<SqlBool> {
  if (key === 'worker_class') return on('j.name', '=', value);
  if (key === 'job_id') return on(on.cast<string>('j.id', 'text'), '=', on.fn<string>('lower', [on.val(value)]));
  return on(selectJobContext(on.ref('j.data'), on.cast<string>(on.val(key), 'text')), '=', value);
}

/** Jobs `j` of a queue that wait. */
const waitingIn = (queue: string): Expression<SqlBool> =>
  on.and([on('j.name', '=', queue), on('j.state', 'in', [constant('created'), constant('retry')])]);

/** Deletes waiting jobs of a queue that have all of some marks. In the caller's transaction. */
export async function deleteWaiting(ctx: Context, queue: string, marks: readonly JobMark[]): Promise<DeletedJobs> {
  const result = await ctx.em
    .getKysely<QueueDatabase>()
    .with(
      (cte) => cte('found').materialized(),
      (db) =>
        db
          .selectFrom('pgboss.job as j')
          .select(['j.name', 'j.id'])
          .where(waitingIn(queue))
          .where(on.and(marks.map(hasMark)))
          .limit(constant(MOST + 1))
          .forUpdate()
          .skipLocked(),
    )
    .with('few', (db) => db.selectFrom('found as f').select(['f.name', 'f.id']).limit(constant(MOST)))
    .with('gone', (db) =>
      db
        .deleteFrom('pgboss.job as j')
        .using('few as s')
        .whereRef('j.name', '=', 's.name')
        .whereRef('j.id', '=', 's.id')
        .returning('j.id'),
    )
    .with('history', (db) => db.deleteFrom('job_attempts as a').using('gone as g').whereRef('a.job_id', '=', 'g.id'))
    .selectNoFrom((eb) => [
      eb
        .selectFrom('found')
        .select((of) => of.fn.countAll<number>().as('count'))
        .as('found'),
      eb
        .selectFrom('gone as g')
        .select((of) => {
          const ids = of.fn.agg<string[]>('array_agg', [of.cast<string>('g.id', 'text')]);
          return of.fn.coalesce(ids, sql<string[]>`'{}'`).as('ids');
        })
        .as('deleted'),
      eb
        .selectFrom('pgboss.job as j')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where(waitingIn(queue))
        .as('waiting'),
    ])
    .executeTakeFirstOrThrow();
  const found = result.found ?? 0;
  const deleted = result.deleted ?? [];
  const waiting = result.waiting ?? 0;
  recordDropped(
    ctx,
    deleted.map((id) => ({ queue, id })),
  );
  // The statement counts what was there before it.
  return { completed: found <= MOST, deleted_jobs: deleted.length, queue_size: waiting - deleted.length };
}

/** Whether there is such a queue. */
export async function queueExists(db: Queryable, name: string): Promise<boolean> {
  const found = await runQuery(
    db,
    queries<QueueDatabase>().selectFrom('pgboss.queue as q').select('q.name').where('q.name', '=', name),
  );
  return found.length > 0;
}
