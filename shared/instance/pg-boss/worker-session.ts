import { expressionBuilder, sql } from 'kysely';
import type { Expression, QueryCreator, SqlBool } from 'kysely';
import type { Queryable } from '../../core/database/database.js';
import { constant, unnested, unnestedColumns } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import { prepareQuery, runQuery } from '../../core/database/prepared.js';
import { queueNow } from './tables.js';
import type { QueueDatabase } from './tables.js';

/*
 * A worker process holds an advisory lock on its own database session for its lifetime. When the process dies, the
 * server ends the session at once and releases the lock: acquiring it proves that the worker is dead.
 */

/** The class of these locks; the other half of the key is the worker's id. */
const LOCKS = 722_651;
/** Number of jobs checked together; the rest follow at the next poll. */
const LOOKED_AT = 1000;

const db = queries<QueueDatabase>();
const on = expressionBuilder<QueueDatabase>();

/** A worker as it registers itself. */
export interface NewWorker {
  hostname: string;
  pid: number;
  tag: string;
  version: string;
  queues: readonly string[];
  concurrency: number;
  started_at: Date;
}

/** Has the server find out soon when the other host is gone without a word. */
export async function keepAlive(session: Queryable): Promise<void> {
  const set = (name: string, seconds: string) =>
    on.fn<string>('set_config', [constant(`tcp_keepalives_${name}`), constant(seconds), constant(false)]).as(name);
  await runQuery(session, db.selectNoFrom([set('idle', '3'), set('interval', '1'), set('count', '4')]));
}

/** A function that takes the lock of a worker, or tries to. */
const lock = <T>(name: 'pg_advisory_lock' | 'pg_try_advisory_xact_lock', id: number) =>
  on.fn<T>(name, [constant(LOCKS), on.cast<number>(on.val(id), 'integer')]);

const takeLock = (session: Queryable, id: number) =>
  runQuery(session, db.selectNoFrom(lock<void>('pg_advisory_lock', id).as('locked')));

/**
 * Registers a worker: first the lock, then the row, so that the row is never visible without the lock. Returns its id.
 */
export async function register(session: Queryable, worker: NewWorker): Promise<number> {
  const sequence = on.fn<string>('pg_get_serial_sequence', [constant('queue_workers'), constant('id')]);
  const next = on.cast<number>(on.fn('nextval', [sequence]), 'integer');
  const [registration] = await runQuery(session, db.selectNoFrom(next.as('id')));
  const { id } = registration as { id: number };
  await takeLock(session, id);
  const { queues, ...rest } = worker;
  const row = { id, ...rest, queues: sql<string[]>`${queues}::text[]`, busy: 0, last_seen_at: sql<Date>`now()` };
  await runQuery(session, db.insertInto('queue_workers').values(row));
  return id;
}

/** Reacquires the lock after the session was lost. False if the worker was declared lost meanwhile. */
export async function takeAgain(session: Queryable, id: number): Promise<boolean> {
  await takeLock(session, id);
  return (await runQuery(session, heartbeat(db, on.val(id), on.val(0)))).length > 0;
}

/** Records that the worker is alive. Returns no row if it was declared lost. */
const heartbeat = (of: QueryCreator<QueueDatabase>, id: Expression<number>, busy: Expression<number>) =>
  of
    .updateTable('queue_workers')
    .set({ last_seen_at: sql<Date>`now()`, busy })
    .where('id', '=', id)
    .where('lost_at', 'is', null)
    .returning('id');

/** Ends a worker in good order: what it counted stays. */
export async function leave(session: Queryable, id: number): Promise<void> {
  const query = queries<QueueDatabase>()
    .with('batches', (of) => of.deleteFrom('queue_batches').where('worker_id', '=', id))
    .deleteFrom('queue_workers')
    .where('id', '=', id);
  await runQuery(session, query);
}

/** Acquires the lock of a dead worker until the transaction ends. False while another session holds it. */
export async function takeOfLost(session: Queryable, id: number): Promise<boolean> {
  const locked = lock<boolean>('pg_try_advisory_xact_lock', id).as('locked');
  const [row] = await runQuery(session, db.selectNoFrom(locked));
  return row?.locked === true;
}

/** A job in the hands of the process that looks, with its attempt from 1. */
interface HeldJob {
  queue: string;
  id: string;
  attempt: number;
}

export interface PollResult {
  /** Whether the worker is still registered, if it sent a heartbeat. */
  alive: boolean;
  paused: string[];
  /** Registered workers whose lock is free. */
  unlocked: number[];
  /** The passed queues that have a due job. */
  ready: string[];
  /** Jobs in hand that no longer belong to this worker, with their current state; null if they no longer exist. */
  lost: { id: string; attempt: number; state: string | null }[];
}

/** System catalog tables about locks. */
interface CatalogDatabase extends QueueDatabase {
  pg_locks: { locktype: string; classid: number; objid: number; objsubid: number; granted: boolean; database: number };
  pg_database: { oid: number; datname: string };
}

/** That no session holds the lock of worker `w`. */
function isUnlocked(): Expression<SqlBool> {
  const eb = expressionBuilder<CatalogDatabase & { w: QueueDatabase['queue_workers'] }, 'w'>();
  const here = eb
    .selectFrom('pg_database as d')
    .select('d.oid')
    .where('d.datname', '=', eb.fn<string>('current_database', []));
  const locks = eb
    .selectFrom('pg_locks as l')
    .select(eb.lit(1).as('one'))
    .where('l.locktype', '=', constant('advisory'))
    .where('l.classid', '=', constant(LOCKS))
    .where('l.objid', '=', sql<number>`${eb.ref('w.id')}::oid`)
    .where('l.objsubid', '=', constant(2))
    .where('l.granted', '=', constant(true))
    .where('l.database', '=', here);
  return eb.not(eb.exists(locks));
}

interface Looked {
  id: number;
  beats: boolean;
  busy: number;
  queues: string[];
  held_queues: string[];
  held_ids: string[];
  held_attempts: number[];
}

const none = <T>(empty: '{}' | '[]') => sql<T[]>`${constant(empty)}`;

const readWorkerState = prepareQuery<QueueDatabase, Looked, object>((of, parameters) => {
  const beating = of.with('beat', (cte) => heartbeat(cte, parameters.id, parameters.busy).where(parameters.beats));
  return beating.selectNoFrom((eb) => {
    const paused = eb
      .selectFrom('queue_controls as c')
      .select((on) => on.fn.coalesce(on.fn.agg<string[]>('array_agg', ['c.queue']), none<string>('{}')).as('queues'))
      .where('c.paused', '=', constant(true));
    const due = eb
      .selectFrom('pgboss.job as j')
      .select(eb.lit(1).as('one'))
      .where('j.name', '=', sql.ref<string>('r.value'))
      .where('j.state', '<', constant('active'))
      .where('j.blocked', '=', constant(false))
      .where('j.start_after', '<=', queueNow);
    const ready = eb
      .selectFrom(unnested(parameters.queues, 'text').as('r'))
      .select((on) => on.fn.coalesce(on.fn.agg<string[]>('array_agg', ['r.value']), none<string>('{}')).as('queues'))
      .where(eb.exists(due));
    const unlocked = eb
      .selectFrom('queue_workers as w')
      .select((on) => on.fn.coalesce(on.fn.agg<number[]>('json_agg', ['w.id']), none<number>('[]')).as('ids'))
      .where('w.lost_at', 'is', null)
      .where('w.id', '<>', parameters.id)
      .where(isUnlocked());
    const rows = unnestedColumns<HeldJob>({
      queue: [parameters.held_queues, 'text'],
      id: [parameters.held_ids, 'uuid'],
      attempt: [parameters.held_attempts, 'int'],
    });
    const lost = eb
      .selectFrom(rows.as('u'))
      .leftJoin('pgboss.job as j', (join) => join.onRef('j.name', '=', 'u.queue').onRef('j.id', '=', 'u.id'))
      .select((on) => {
        const job = sql`json_build_object('id', ${on.ref('u.id')}, 'attempt', ${on.ref('u.attempt')}, 'state', ${on.ref('j.state')})`;
        return on.fn.coalesce(on.fn.agg<object[]>('json_agg', [job]), none<object>('[]')).as('jobs');
      })
      .where((on) =>
        on.or([
          on('j.state', 'is distinct from', constant('active')),
          on('j.retry_count', '<>', on('u.attempt', '-', on.lit(1))),
        ]),
      );
    const alive = eb.exists(eb.selectFrom('beat').select(eb.lit(1).as('one')));
    return [paused.as('paused'), ready.as('ready'), unlocked.as('unlocked'), lost.as('lost'), alive.as('alive')];
  });
}, 'capstan_look');

/** A worker process, as it looks around. */
export interface Looker {
  id: number;
  /** Whether it sends a heartbeat. */
  beats: boolean;
  held: readonly HeldJob[];
}

/**
 * Reads all state that a worker process polls, with one statement.
 * @param queues queues to check for due jobs
 */
export async function pollWorkerState(
  session: Queryable,
  looker: Looker,
  queues: readonly string[],
): Promise<PollResult> {
  const { id, beats, held } = looker;
  const some = held.slice(0, LOOKED_AT);
  const [result] = await readWorkerState(session, {
    id,
    beats,
    busy: held.length,
    queues: [...queues],
    held_queues: some.map((job) => job.queue),
    held_ids: some.map((job) => job.id),
    held_attempts: some.map((job) => job.attempt),
  });
  return result as PollResult;
}
