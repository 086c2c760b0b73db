import type { Queryable } from '../../core/database/database.js';
import { raw, sql } from '../../core/sql.js';

/*
 * A worker process holds an advisory lock on a database session of its own, for as long as it lives. When the process
 * dies, the server ends the session at once, and with it the lock: whoever can take it knows that the worker is gone.
 */

/** The class of these locks; the other half of the key is the worker's id. */
const LOCKS = raw('722651');
/** Jobs that are looked at together; the others' turn comes at the next look. */
const LOOKED_AT = 1000;

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
  await session.query(sql`
    select set_config('tcp_keepalives_idle', '3', false), set_config('tcp_keepalives_interval', '1', false),
           set_config('tcp_keepalives_count', '4', false)`);
}

/** Registers a worker: first the lock, then the row, so that nobody sees it without its lock. Answers its id. */
export async function register(session: Queryable, worker: NewWorker): Promise<number> {
  const [next] = await session.query<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('queue_workers', 'id'))::int as "id"`,
  );
  const id = (next as { id: number }).id;
  await session.query(sql`select pg_advisory_lock(${LOCKS}, ${id}::int)`);
  // Plain SQL: on the session that holds the lock of the worker, beside the pool.
  await session.query(sql`
    insert into queue_workers (id, hostname, pid, tag, version, queues, concurrency, started_at)
    values (${id}, ${worker.hostname}, ${worker.pid}, ${worker.tag}, ${worker.version}, ${worker.queues}::text[],
            ${worker.concurrency}, ${worker.started_at})`);
  return id;
}

/** Takes the lock again after the session was lost. False when the worker was given up for lost meanwhile. */
export async function takeAgain(session: Queryable, id: number): Promise<boolean> {
  await session.query(sql`select pg_advisory_lock(${LOCKS}, ${id}::int)`);
  return beat(session, id, 0);
}

/** Says that the worker lives. False when it was given up for lost. */
export async function beat(session: Queryable, id: number, busy: number): Promise<boolean> {
  const rows = await session.query(sql`
    update queue_workers set last_seen_at = now(), busy = ${busy} where id = ${id} and lost_at is null returning id`);
  return rows.length > 0;
}

/** Ends a worker in good order: what it counted stays. */
export async function leave(db: Queryable, id: number): Promise<void> {
  await db.query(sql`
    with batches as (delete from queue_batches where worker_id = ${id})
    delete from queue_workers where id = ${id}`);
}

/** Takes the lock of a worker that is gone, until the transaction ends. False while somebody holds it. */
export async function takeOfLost(session: Queryable, id: number): Promise<boolean> {
  const [row] = await session.query<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(${LOCKS}, ${id}::int) as "taken"`,
  );
  return row?.taken === true;
}

/** A job in the hands of the process that looks, with its attempt from 1. */
export interface HeldJob {
  queue: string;
  id: string;
  attempt: number;
}

export interface Look {
  paused: string[];
  /** Registered workers whose lock nobody holds. */
  unlocked: number[];
  /** Those of the queues asked about in which a job waits and is due. */
  ready: string[];
  /** Jobs in hand that are this worker's no more, with the state that they are in; null when they are gone. */
  taken: { id: string; attempt: number; state: string | null }[];
}

/**
 * What a worker process has to know now and then, by one statement.
 * @param queues of which is asked whether there is something to fetch
 */
export async function lookAround(
  session: Queryable,
  id: number,
  held: readonly HeldJob[],
  queues: readonly string[],
): Promise<Look> {
  const some = held.slice(0, LOOKED_AT);
  const [look] = await session.query<Look>(sql`
    select (select coalesce(array_agg(c.queue), '{}') from queue_controls c where c.paused) as "paused",
           (select coalesce(array_agg(r.name), '{}') from unnest(${queues}::text[]) as r (name) where exists (
             select 1 from pgboss.job j
              where j.name = r.name and j.state < 'active' and not j.blocked
                and j.start_after <= pgboss.job_now())) as "ready",
           (select coalesce(json_agg(w.id), '[]') from queue_workers w
             where w.lost_at is null and w.id <> ${id} and not exists (
               select 1 from pg_locks l
                where l.locktype = 'advisory' and l.classid = ${LOCKS} and l.objid = w.id::oid and l.objsubid = 2
                  and l.granted and l.database = (
                    select d.oid from pg_database d where d.datname = current_database()))) as "unlocked",
           (select coalesce(json_agg(json_build_object('id', u.id, 'attempt', u.attempt, 'state', j.state)), '[]')
              from unnest(${some.map((job) => job.queue)}::text[], ${some.map((job) => job.id)}::uuid[],
                          ${some.map((job) => job.attempt)}::int[]) as u (queue, id, attempt)
              left join pgboss.job j on j.name = u.queue and j.id = u.id
             where j.state is distinct from 'active' or j.retry_count <> u.attempt - 1) as "taken"`);
  return look as Look;
}
