import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { TestApp } from '../app.js';

/** Ends the backends of an app's database that wait for a lock, from another connection. @returns how many */
export async function endWaiting(beside: TestApp): Promise<number> {
  const rows = await beside.services.db.query(sql`
    select pg_terminate_backend(a.pid) from pg_stat_activity a
     where a.datname = current_database() and a.wait_event_type = 'Lock'`);
  return rows.length;
}

/** Ends the backend with this id. */
export async function endBackend(beside: TestApp, pid: number): Promise<void> {
  await beside.services.db.query(sql`select pg_terminate_backend(${pid}::int)`);
  // Once its process is gone.
  for (;;) {
    const left = await beside.services.db.query(sql`select 1 as "left" from pg_stat_activity a where a.pid = ${pid}`);
    if (left.length === 0) return;
  }
}

/**
 * Locks a table on a separate connection, sends a request that waits for the lock, and terminates the connection on
 * which it waits.
 */
export async function endWhileItWaits<R>(beside: TestApp, table: string, send: () => Promise<R>): Promise<R> {
  const ctx = beside.context();
  return ctx.transaction(async () => {
    await ctx.query({ text: `lock table ${table} in access exclusive mode`, values: [] } as never);
    let answered = false;
    const answer = send().finally(() => {
      answered = true;
    });
    // A request that fails is not one that is never answered.
    answer.catch(() => undefined);
    while (!answered) if ((await endWaiting(beside)) === 0) await pause(5);
    return answer;
  });
}
