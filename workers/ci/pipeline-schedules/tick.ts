import { tickPipelineSchedules } from '../../../shared/ci/ci.jobs.js';
import { tickSchedules } from '../../../shared/ci/pipeline-schedules/tick-schedules.js';
import { handler } from '../../core/handler.js';
import { logWork } from '../../core/log-work.js';

/** Claims what is due. Several ticks in a batch find it once: the first takes all. */
export const tick = handler({
  kind: tickPipelineSchedules,
  batchSize: 20,
  async handleBatch(ctx) {
    const claimed = await tickSchedules(ctx);
    logWork(ctx.log, { claimed }, 'pipeline_schedule.tick');
  },
});
