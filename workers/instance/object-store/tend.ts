import { removeObjects, sweepObjectStore } from '../../../shared/core/stored-files/object-store.jobs.js';
import { removeReleased, sweepObjects } from '../../../shared/core/stored-files/sweep-objects.js';
import { handler } from '../../core/handler.js';
import { logWork } from '../../core/log-work.js';

/** Removes bytes whose owners are gone. */
export const removalOfObjects = handler({
  kind: removeObjects,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, { removed: await removeReleased(ctx) }, 'object_store.remove');
  },
});

/** Removes bytes that no row names, and tells of those that a row names in vain. */
export const sweepOfObjects = handler({
  kind: sweepObjectStore,
  batchSize: 1,
  async handle(ctx) {
    logWork(ctx.log, await sweepObjects(ctx), 'object_store.sweep');
  },
});
