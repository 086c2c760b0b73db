import { job } from '../core/jobs.js';

/** Claims what is due. `at` is the moment it was rung for; one waiting tick a moment is enough. */
export const tickPipelineSchedules = job<{ at: string }>('pipeline_schedules.tick', { policy: 'exclusive' });

/** Makes the pipeline of one run that cron made due. */
export const runPipelineSchedules = job<{ run_id: number }>('pipeline_schedules.run');

/** Makes the pipeline of one run that somebody asked for. */
export const playPipelineSchedules = job<{ run_id: number }>('pipeline_schedules.play');
