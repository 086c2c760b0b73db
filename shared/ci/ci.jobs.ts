import { queueJob } from '../core/context/jobs.js';

const category = 'continuous_integration';

/** Claims due schedules. `at` is the due time of the tick; one queued tick per due time is enough. */
export const tickPipelineSchedules = queueJob<{ at: string }>('pipeline_schedules.tick', {
  category,
  policy: 'exclusive',
});

/** Makes the pipeline of one run that cron made due. */
export const runPipelineSchedules = queueJob<{ run_id: number }>('pipeline_schedules.run', { category });

/** Creates the pipeline of one run that a user requested. */
export const playPipelineSchedules = queueJob<{ run_id: number }>('pipeline_schedules.play', { category });

/** Recomputes every next run after a time zone data update; one queued job per release is enough. */
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

/**
 * Makes the pipelines of a push, as the user who pushed. `at` is when; `sealed_options` are its push options, encrypted,
 * and `records` says that a mirror asks for pipelines of outside executors where there is no configuration.
 */
export const createPushPipelines = queueJob<{
  project_id: number;
  user_id: number;
  at: string;
  refs: { ref: string; from: string | null; to: string }[];
  sealed_options?: string;
  records?: boolean;
}>('pipelines.create_for_push', { category });

/** Removes what pipelines no longer need: hidden refs, old explanations, old look-ups of configurations. */
export const tendPipelines = queueJob<Record<string, never>>('pipelines.tend', { category, everySeconds: 60 });

/** Removes finished pipelines past the retention of their project. */
export const removeOldPipelines = queueJob<Record<string, never>>('pipelines.remove_old', {
  category,
  everySeconds: 300,
});

/** Digests registration tokens of runners that are older than their digests. */
export const digestRegistrationTokens = queueJob<Record<string, never>>('registration_tokens.digest', {
  category,
  everySeconds: 300,
});

/** Works out the states of a pipeline's jobs; one queued job for each pipeline is enough. */
export const processPipelines = queueJob<{ pipeline_id: number }>('pipelines.process', { category, policy: 'short' });

/** Moves the log of a job that has ended into the object store, if it has one. */
export const sealJobLogs = queueJob<{ job_id: number }>('job_logs.seal', { category });

/** Finds logs of ended jobs that nobody has sealed. */
export const tendJobLogs = queueJob<Record<string, never>>('job_logs.tend', { category, everySeconds: 60 });
/** Lets the next job that waits for a resource have it, once it is free. */
export const assignResources = queueJob<{ resource_group_id: number }>('resource_groups.assign', { category });

/** Repairs what a crash left of pipelines: has those processed that changed, or whose time has come. */
export const sweepPipelines = queueJob<Record<string, never>>('pipelines.sweep', { category, everySeconds: 60 });

/** Ends jobs that nobody will end, and makes the queue of jobs right. */
export const tendPipelineJobs = queueJob<Record<string, never>>('pipeline_jobs.tend', { category, everySeconds: 60 });
