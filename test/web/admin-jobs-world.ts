import type { ExecutionContext } from 'ava';
import { job } from '../../shared/core/jobs.js';
import type { JobKind } from '../../shared/core/jobs.js';
import { handler } from '../../workers/core/handler.js';
import type { TestApp } from '../core/app.js';
import { eventually } from '../core/processes.js';
import { sql } from '../../shared/core/sql.js';
import { startWorker } from '../instance/queue-jobs/workers.js';

interface Work {
  n: number;
  password?: string;
  word?: string;
}

/** A queue of the test's own, whose jobs fail as long as the test says so. */
export interface FlakyQueue {
  kind: JobKind<Work>;
  /** While true every job fails. */
  broken: boolean;
  /** Sends a job, as `user` where one is given. */
  send(payload: Work, contextOf?: { caller: Parameters<TestApp['context']>[0] }): Promise<string>;
  stateOf(id: string): Promise<string | undefined>;
  /** Waits until a job came to a state. */
  comesTo(id: string, state: string): Promise<unknown>;
}

/** Makes a queue with a real worker behind it. The clock of the app has to be right: the queue's is the database's. */
export async function flakyQueue(t: ExecutionContext, app: TestApp, name: string): Promise<FlakyQueue> {
  const kind = job<Work>(name, { category: 'testing', retryLimit: 0 });
  const queue: FlakyQueue = {
    kind,
    broken: true,
    async send(payload, given) {
      const ctx = given ? app.context(given.caller as never) : app.context();
      return (await ctx.transaction(() => ctx.jobs.send(kind, payload))) as string;
    },
    async stateOf(id) {
      const row = await app
        .context()
        .queryOne<{ state: string }>(sql`select j.state::text as "state" from pgboss.job j where j.id = ${id}::uuid`);
      return row?.state;
    },
    comesTo: (id, state) => eventually(async () => (await queue.stateOf(id)) === state, 20),
  };
  const working = handler<Work>({
    kind,
    batchSize: 5,
    handle: (_ctx, { n, word = 'unreachable' }) =>
      queue.broken ? Promise.reject(new RangeError(`the mirror ${n} is ${word}`)) : Promise.resolve(),
  });
  await startWorker(t, app, [working]);
  return queue;
}
