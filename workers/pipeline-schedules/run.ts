import { playPipelineSchedules, runPipelineSchedules } from '../../shared/pipeline-schedules/pipeline-schedule.jobs.js';
import { runSchedules } from '../../shared/pipeline-schedules/run-schedules.js';
import { handler } from '../core/handler.js';

const runIds = (payloads: readonly { run_id: number }[]) => payloads.map((payload) => payload.run_id);

/** Makes the pipelines of runs that cron made due. */
export const run = handler({
  kind: runPipelineSchedules,
  batchSize: 500,
  handle: (ctx, payloads) => ctx.transaction(() => runSchedules(ctx, runIds(payloads))),
});

/** Makes the pipelines of runs that somebody asked for, on a queue of their own: they don't wait behind a full minute. */
export const play = handler({
  kind: playPipelineSchedules,
  batchSize: 20,
  handle: (ctx, payloads) => ctx.transaction(() => runSchedules(ctx, runIds(payloads))),
});
