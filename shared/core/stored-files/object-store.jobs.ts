import { queueJob } from '../context/jobs.js';

/** Removes the bytes of objects whose owners have been deleted. */
export const removeObjects = queueJob<Record<string, never>>('objects.remove', {
  category: 'object_storage',
  everySeconds: 60,
  expireInSeconds: 1800,
});

/** Compares the object store with the rows that name its objects. */
export const sweepObjectStore = queueJob<Record<string, never>>('objects.sweep', {
  category: 'object_storage',
  everySeconds: 24 * 3600,
  expireInSeconds: 2 * 3600,
});
