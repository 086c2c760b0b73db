import type { Queryable } from '../../core/database/database.js';
import { sql } from '../../core/sql.js';

/** The channel on which worker processes hear that there is something to look at, or to fetch. */
export const QUEUE_CHANNEL = 'capstan_queue_jobs';

const WAKE = 'wake ';

/** Has every worker process look at pauses and cancelled jobs, once the transaction is committed. */
export async function tellWorkers(db: Queryable): Promise<void> {
  await db.query(sql`select pg_notify(${QUEUE_CHANNEL}, 'look')`);
}

/** Has them fetch from queues at once. */
export async function wakeQueues(db: Queryable, queues: readonly string[]): Promise<void> {
  await db.query(
    sql`select pg_notify(${QUEUE_CHANNEL}, ${WAKE} || u.queue) from unnest(${queues}::text[]) as u (queue)`,
  );
}

/** The queue that is to be fetched from, or null where it is something to look at. */
export const queueToWake = (payload: string): string | null =>
  payload.startsWith(WAKE) ? payload.slice(WAKE.length) : null;
