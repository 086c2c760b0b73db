import type { WorkerDomain } from '../core/handler.js';
import { removeObjects, sweepObjectStore } from '../../shared/core/stored-files/object-store.jobs.js';
import { removeReleased, sweepObjects } from '../../shared/core/stored-files/sweep-objects.js';
import { handler, logWork } from '../core/handler.js';
import { MetricsServer } from './monitoring/metrics-server.js';
import { bulk } from './queue-jobs/bulk.js';
import { sample } from './queue-jobs/sample.js';
import { tendJobs } from './queue-jobs/tend.js';

/** Removes bytes whose owners have been deleted. */
const removalOfObjects = handler({
  kind: removeObjects,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, { removed: await removeReleased(ctx) }, 'object_store.remove');
  },
});

/** Removes bytes without a row, and reports rows whose bytes are missing. */
const sweepOfObjects = handler({
  kind: sweepObjectStore,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await sweepObjects(ctx), 'object_store.sweep');
  },
});

export const instanceWorkers: WorkerDomain = {
  handlers: [tendJobs, sample, bulk, removalOfObjects, sweepOfObjects],
  backgroundServices: () => [new MetricsServer()],
};
