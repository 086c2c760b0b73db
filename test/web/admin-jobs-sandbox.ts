import type { ExecutionContext } from 'ava';
import { queueJob } from '../../shared/core/context/jobs.js';
import type { JobKind } from '../../shared/core/context/jobs.js';
import { sql } from 'kysely';
import { handler } from '../../workers/core/handler.js';
import type { TestApp } from '../core/app.js';
import type { BuiltUser } from '../core/builders.js';
import { eventually } from '../core/processes.js';
import { startWorker } from '../instance/queue-jobs/workers.js';
import { queryOne } from '../core/query-one.js';

interface Work {
  n: number;
  password?: string;
  /** The user who sent it and the context, unless it was the service itself. */
  _ctx?: object;
  /** Goes into the error. */
  errorText?: string;
}

/** A queue of the test, whose jobs fail while the test requires it. */
export interface FlakyQueue {
  kind: JobKind<Work>;
  /** While true every job fails. */
  broken: boolean;
  /** Sends a job, for `user` if set, otherwise for the service. */
  send(payload: Work, user?: BuiltUser): Promise<string>;
  stateOf(id: string): Promise<string | undefined>;
  /** Waits until a job came to a state. */
  comesTo(id: string, state: string): Promise<unknown>;
}

const getState = async (app: TestApp, id: string) =>
  (
    await queryOne<{ state: string }>(
      app.context(),
      sql`select j.state::text as "state" from pgboss.job j where j.id = ${id}::uuid`,
    )
  )?.state;

/** Makes a queue without a worker. The clock of the app has to be right: the queue's is the database's. */
export async function idleQueue(app: TestApp, name: string): Promise<FlakyQueue> {
  const kind = queueJob<Work>(name, { category: 'testing', retryLimit: 0 });
  await app.services.boss.createQueue(kind.name, kind.queue);
  return {
    kind,
    broken: true,
    async send(payload, user) {
      const ctx = user ? app.build.contextOf(user) : app.context();
      return (await ctx.transaction(() => ctx.jobs.send(kind, payload))) as string;
    },
    stateOf: (id) => getState(app, id),
    comesTo: (id, state) => eventually(async () => (await getState(app, id)) === state),
  };
}

/** Makes a queue with a real worker behind it. */
export async function flakyQueue(t: ExecutionContext, app: TestApp, name: string): Promise<FlakyQueue> {
  const queue = await idleQueue(app, name);
  const working = handler<Work>({
    kind: queue.kind,
    batchSize: 5,
    handle: (_ctx, { n, errorText = 'unreachable' }) =>
      queue.broken ? Promise.reject(new RangeError(`the mirror ${n} is ${errorText}`)) : Promise.resolve(),
  });
  await startWorker(t, app, [working]);
  return queue;
}
