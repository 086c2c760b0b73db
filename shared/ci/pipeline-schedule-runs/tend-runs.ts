import type { Context } from '../../core/context.js';
import { inSteps } from '../../core/in-steps.js';
import { rowToldToPages } from '../../core/page-changes/page-changes.js';
import { raw, sql } from '../../core/sql.js';
import { runPipelineSchedules } from '../pipeline-schedules/pipeline-schedule.jobs.js';

/** Runs are kept this long. */
const KEPT_DAYS = 90;
/** Rows removed by one statement at most: locks stay short. */
const BATCH = 5_000;
/** A run that is pending for longer has lost its job: tried again, and given up in the end. */
const LOST_AFTER_MS = 10 * 60_000;
const GIVEN_UP_AFTER_MS = 24 * 3_600_000;

/** Removes runs older than 90 days, a batch a statement. Answers how many. Repeated it removes nothing. */
export async function pruneRuns(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - KEPT_DAYS * 86_400_000);
  let removed = 0;
  await inSteps(ctx, async () => {
    const batch = await ctx.query<{ id: number }>(sql`
      delete from pipeline_schedule_runs x where x.id in (
        select o.id from pipeline_schedule_runs o where o.created_at < ${before} limit ${BATCH})
      returning x.id`);
    removed += batch.length;
    return batch.length === BATCH;
  });
  return removed;
}

/**
 * No run stays pending for ever: one whose job was lost, or failed too often, gets another one; after a day it is
 * recorded as failed. A second job for a run that is done meanwhile finds it done.
 */
export async function rescueRuns(ctx: Context): Promise<{ resent: number; givenUp: number }> {
  const now = ctx.clock.now().getTime();
  return ctx.transaction(async () => {
    const givenUp = await ctx.query<{ id: number }>(sql`
      update pipeline_schedule_runs x set state = 'failed', cause = 'not_started', started_at = ${ctx.clock.now()},
             reason = 'The service could not start it within a day.'
       where x.state = 'pending' and x.created_at < ${new Date(now - GIVEN_UP_AFTER_MS)}
      returning x.id, ${rowToldToPages('pipeline_schedules', raw('x.project_id'))} as "told"`);
    const lost = await ctx.query<{ id: number }>(sql`
      select x.id from pipeline_schedule_runs x
       where x.state = 'pending' and x.created_at < ${new Date(now - LOST_AFTER_MS)} order by x.id limit ${BATCH}`);
    await ctx.jobs.sendAll(
      runPipelineSchedules,
      lost.map(({ id }) => ({ run_id: id })),
    );
    return { resent: lost.length, givenUp: givenUp.length };
  });
}
