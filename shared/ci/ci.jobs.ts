import { queueJob } from '../core/context/jobs.js';

const category = 'continuous_integration';

/** Claims what is due. `at` is the due time that it was rung for; one waiting tick for each is enough. */
export const tickPipelineSchedules = queueJob<{ at: string }>('pipeline_schedules.tick', {
  category,
  policy: 'exclusive',
});

/** Makes the pipeline of one run that cron made due. */
export const runPipelineSchedules = queueJob<{ run_id: number }>('pipeline_schedules.run', { category });

/** Makes the pipeline of one run that somebody asked for. */
export const playPipelineSchedules = queueJob<{ run_id: number }>('pipeline_schedules.play', { category });

/** Computes every next run anew for other zone data; one waiting job for a release is enough. */
export const syncTimeZoneData = queueJob<{ version: string }>('pipeline_schedules.follow_zone_data', {
  category,
  policy: 'exclusive',
  expireInSeconds: 3600,
});

/** Looks after the runs: rescues lost ones, removes old ones. */
export const tendPipelineSchedules = queueJob<Record<string, never>>('pipeline_schedules.tend', {
  category,
  everySeconds: 300,
});
