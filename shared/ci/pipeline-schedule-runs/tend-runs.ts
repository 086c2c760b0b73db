import type { Context } from '../../core/context/context.js';
import { inSteps } from '../../core/context/in-steps.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import { constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { runPipelineSchedules } from '../ci.jobs.js';

/** How long runs are retained. */
const RETENTION_DAYS = 90;
/** Rows removed by one statement at most: locks stay short. */
const BATCH = 5_000;
/** A run pending for longer has lost its job: it is retried, and eventually abandoned. */
const LOST_AFTER_MS = 10 * 60_000;
const ABANDON_AFTER_MS = 24 * 3_600_000;

/** Removes runs older than 90 days, a batch a statement. Answers how many. Repeated it removes nothing. */
export async function pruneRuns(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION_DAYS * 86_400_000);
  let removed = 0;
  await inSteps(ctx, async () => {
    const batch = await ctx.em
      .getKysely<CiDatabase>()
      .deleteFrom('pipeline_schedule_runs')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('pipeline_schedule_runs as o')
          .select('o.id')
          .where('o.created_at', '<', before)
          .limit(constant(BATCH)),
      )
      .returning('id')
      .execute();
    removed += batch.length;
    return batch.length === BATCH;
  });
  return removed;
}

/**
 * Ensures that no run stays pending forever: a run whose job was lost or failed too often gets a new job; after a day
 * it is recorded as failed. If the run has finished in the meantime, the second job does nothing.
 */
export async function rescueRuns(ctx: Context): Promise<{ resent: number; abandonedRuns: number }> {
  const now = ctx.clock.now().getTime();
  return ctx.transaction(async () => {
    const db = ctx.em.getKysely<CiDatabase>();
    const abandonedRuns = await db
      .updateTable('pipeline_schedule_runs as x')
      .set({
        state: constant('failed'),
        cause: constant('not_started'),
        started_at: ctx.clock.now(),
        reason: constant('The service could not start it within a day.'),
      })
      .where('x.state', '=', constant('pending'))
      .where('x.created_at', '<', new Date(now - ABANDON_AFTER_MS))
      .returning((eb) => ['x.id', rowPageNotification('pipeline_schedules', eb.ref('x.project_id')).as('notified')])
      .execute();
    const lost = await db
      .selectFrom('pipeline_schedule_runs as x')
      .select('x.id')
      .where('x.state', '=', constant('pending'))
      .where('x.created_at', '<', new Date(now - LOST_AFTER_MS))
      .orderBy('x.id')
      .limit(constant(BATCH))
      .execute();
    await ctx.jobs.sendAll(
      runPipelineSchedules,
      lost.map(({ id }) => ({ run_id: id })),
    );
    return { resent: lost.length, abandonedRuns: abandonedRuns.length };
  });
}
