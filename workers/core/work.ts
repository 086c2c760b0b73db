import { randomUUID } from 'node:crypto';
import type { Job, PgBoss } from 'pg-boss';
import { ANONYMOUS } from '../../shared/core/callers.js';
import { Context } from '../../shared/core/context.js';
import type { OpenServices } from '../../shared/core/open-services.js';
import type { Handler } from './handler.js';

/** Aborted once every job of a batch is: its time is over, or each has been taken by somebody else. */
function endOfAll(jobs: readonly { signal: AbortSignal }[]): AbortSignal {
  const all = new AbortController();
  const look = () => {
    if (jobs.every(({ signal }) => signal.aborted)) all.abort(jobs[0]?.signal.reason);
  };
  for (const { signal } of jobs) signal.addEventListener('abort', look, { once: true });
  look();
  return all.signal;
}

/** Subscribes a handler to its queue. A batch that throws is logged and tried again by the queue. */
export async function subscribe(services: OpenServices, boss: PgBoss, handler: Handler): Promise<void> {
  const { kind, batchSize, concurrency = 1 } = handler;
  const statementSeconds = handler.longStatements ? kind.queue.expireInSeconds : undefined;
  await boss.work<object>(
    kind.name,
    {
      batchSize,
      localConcurrency: concurrency,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 1,
      notifyPollingIntervalSeconds: 5,
    },
    async (jobs: Job<object>[]) => {
      const started = performance.now();
      const log = services.log.child({ job: kind.name, batch: jobs.length });
      const origin = { requestId: randomUUID(), ip: null, signal: endOfAll(jobs), statementSeconds };
      const ctx = new Context({ ...services, log }, ANONYMOUS, origin);
      try {
        await handler.handle(
          ctx,
          jobs.map((job) => job.data),
        );
      } catch (error) {
        log.error({ err: error, ids: jobs.map((job) => job.id) }, 'job failed');
        throw error;
      }
      log.info({ seconds: (performance.now() - started) / 1000 }, 'job done');
    },
  );
}
