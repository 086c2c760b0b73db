import type { Context } from '../../../shared/core/context.js';
import {
  playPipelineSchedules,
  runPipelineSchedules,
} from '../../../shared/ci/pipeline-schedules/pipeline-schedule.jobs.js';
import { runSchedules } from '../../../shared/ci/pipeline-schedule-runs/run-schedules.js';
import { handler } from '../../core/handler.js';

const runIds = (payloads: readonly { run_id: number }[]) => payloads.map((payload) => payload.run_id);

/**
 * Makes the pipelines of a batch in one transaction. When that throws, its halves are tried on their own, so that
 * one run that cannot be made holds no other up; the batch is then handed back, and those that were made are left
 * alone the next time.
 */
async function runApart(ctx: Context, ids: readonly number[]): Promise<void> {
  try {
    await ctx.transaction(() => runSchedules(ctx, ids));
  } catch (error) {
    if (ids.length === 1) throw error;
    ctx.log.warn({ err: error, runs: ids.length }, 'a batch of runs failed; its halves are tried on their own');
    const half = Math.ceil(ids.length / 2);
    const failures: unknown[] = [];
    for (const part of [ids.slice(0, half), ids.slice(half)])
      await runApart(ctx, part).catch((failure: unknown) => failures.push(failure));
    if (failures.length > 0) throw failures[0];
  }
}

/** Makes the pipelines of runs that cron made due. */
export const run = handler({
  kind: runPipelineSchedules,
  batchSize: 500,
  handle: (ctx, payloads) => runApart(ctx, runIds(payloads)),
});

/** Makes the pipelines of runs that somebody asked for, on a queue of their own: they don't wait behind a full minute. */
export const play = handler({
  kind: playPipelineSchedules,
  batchSize: 20,
  handle: (ctx, payloads) => runApart(ctx, runIds(payloads)),
});
