import { randomUUID } from 'node:crypto';
import type { Job, PgBoss } from 'pg-boss';
import { Caller, Context } from '../../shared/core/context.js';
import type { OpenServices } from '../../shared/core/services.js';
import type { Handler } from './handler.js';

/** Subscribes a handler to its queue. A batch that throws is logged and tried again by the queue. */
export async function subscribe(services: OpenServices, boss: PgBoss, handler: Handler): Promise<void> {
  const { kind, batchSize, concurrency = 1 } = handler;
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
      const ctx = new Context({ ...services, log }, Caller.anonymous, { requestId: randomUUID(), ip: null });
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
