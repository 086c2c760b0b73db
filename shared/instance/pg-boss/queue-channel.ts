import { expressionBuilder } from 'kysely';
import type { Expression } from 'kysely';
import type { Queryable } from '../../core/database/database.js';
import { constant, unnested } from '../../core/database/expressions.js';
import { queries } from '../../core/database/compile.js';
import { runQuery } from '../../core/database/prepared.js';

/** The channel on which worker processes hear that there is something to look at, or to fetch. */
export const QUEUE_CHANNEL = 'capstan_queue_jobs';

const WAKE = 'wake ';

const notify = (payload: Expression<string>) =>
  expressionBuilder().fn<void>('pg_notify', [constant(QUEUE_CHANNEL), payload]);

/** Has every worker process look at pauses and cancelled jobs, once the transaction is committed. */
export async function notifyWorkers(db: Queryable): Promise<void> {
  await runQuery(db, queries().selectNoFrom(notify(constant('look')).as('notified')));
}

/** Has them fetch from queues at once. */
export async function wakeQueues(db: Queryable, queues: readonly string[]): Promise<void> {
  const query = queries()
    .selectFrom(unnested(queues, 'text').as('u'))
    .select((eb) => notify(eb(constant<string>(WAKE), '||', eb.ref('u.value'))).as('notified'));
  await runQuery(db, query);
}

/** The queue to fetch from, or null for notifications of another kind. */
export const queueToWake = (payload: string): string | null =>
  payload.startsWith(WAKE) ? payload.slice(WAKE.length) : null;
