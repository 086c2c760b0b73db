import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { TestApp } from './app.js';

/**
 * Runs a statement in another transaction, then `meanwhile`, and commits once that waits for a lock or has finished.
 * For tests that run one after the other: another waiting connection would be mistaken for it.
 */
export async function holding<R>(
  app: TestApp,
  statement: RawBuilder<unknown>,
  meanwhile: () => Promise<R>,
): Promise<R> {
  const ctx = app.context();
  let waiting: Promise<R> | undefined;
  await ctx.transaction(async () => {
    await ctx.query(statement);
    let done = false;
    waiting = meanwhile().finally(() => {
      done = true;
    });
    await somebodyWaits(app, () => done);
  });
  return waiting as Promise<R>;
}

/** Resolves when any connection waits for a lock, or when `orDone` returns true. */
export async function somebodyWaits(app: TestApp, orDone: () => boolean): Promise<void> {
  while (!orDone()) {
    const [row] = await app.services.db.query<{ waits: number }>(sql`
      select count(*) as waits from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`);
    if ((row?.waits ?? 0) > 0) return;
  }
}
