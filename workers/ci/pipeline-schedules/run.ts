import type { Context } from '../../../shared/core/context/context.js';
import { playPipelineSchedules, runPipelineSchedules } from '../../../shared/ci/ci.jobs.js';
import { runSchedules } from '../../../shared/ci/pipeline-schedule-runs/run-schedules.js';
import type { FailedJob } from '../../core/handler.js';
import { handler } from '../../core/handler.js';

/**
 * Makes the pipelines of a batch. When that throws, its halves are tried on their own, down to the runs that cannot be
 * made: they hold no other up, and fail alone.
 */
async function runApart(
  ctx: Context,
  payloads: readonly { run_id: number }[],
  from = 0,
  to = payloads.length,
): Promise<FailedJob[]> {
  const ids = payloads.slice(from, to).map((payload) => payload.run_id);
  try {
    const failed = await runSchedules(ctx, ids);
    const errors = new Map(failed.map(({ run_id, error }) => [run_id, error]));
    return ids.flatMap((id, index) => (errors.has(id) ? [{ index: from + index, error: errors.get(id) }] : []));
  } catch (error) {
    if (ids.length === 1) return [{ index: from, error }];
    ctx.signal.throwIfAborted();
    ctx.log.warn({ err: error, runs: ids.length }, 'a batch of runs failed; its halves are tried on their own');
    const middle = from + Math.ceil(ids.length / 2);
    return [...(await runApart(ctx, payloads, from, middle)), ...(await runApart(ctx, payloads, middle, to))];
  }
}

/**
 * Makes the pipelines of runs that cron made due. A batch lasts as long as the slowest configuration in it: the next
 * minute's runs do not wait for that.
 */
export const run = handler({
  kind: runPipelineSchedules,
  batchSize: 500,
  concurrency: 2,
  handleBatch: (ctx, payloads) => runApart(ctx, payloads),
});

/**
 * Creates the pipelines of manually started runs, on a separate queue: they do not wait behind a minute with many
 * schedules.
 */
export const play = handler({
  kind: playPipelineSchedules,
  batchSize: 20,
  handleBatch: (ctx, payloads) => runApart(ctx, payloads),
});
