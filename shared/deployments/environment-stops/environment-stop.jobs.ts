import { queueJob } from '../../core/context/jobs.js';

const category = 'continuous_delivery';

/** Stops what of a project was neither changed nor deployed to since `before` (ISO 8601), for whoever asked for it. */
export const stopStaleEnvironments = queueJob<{ project_id: number; user_id: number; before: string }>(
  'environments.stop_stale',
  { category },
);

/** Stops environments whose time is up, and removes stopped review apps whose time is up. */
export const tendEnvironments = queueJob<Record<string, never>>('environments.tend', { category, everySeconds: 60 });
