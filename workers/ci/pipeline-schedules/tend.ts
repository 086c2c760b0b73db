import { tendPipelineSchedules } from '../../../shared/ci/ci.jobs.js';
import { pruneRuns, rescueRuns } from '../../../shared/ci/pipeline-schedule-runs/tend-runs.js';
import { handler } from '../../core/handler.js';
import { logWork } from '../../core/log-work.js';

/** Rescues runs that lost their job, and removes old ones. */
export const tend = handler({
  kind: tendPipelineSchedules,
  batchSize: 1,
  async handle(ctx) {
    const { resent, givenUp } = await rescueRuns(ctx);
    const pruned = await pruneRuns(ctx);
    logWork(ctx.log, { resent, given_up: givenUp, pruned }, 'pipeline_schedule.tend');
  },
});
