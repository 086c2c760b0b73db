import { sql } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import type { CiDatabase } from '../ci.entities.js';
import { lockPipelines, requestProcessing } from '../processing/request-processing.js';

/** A job in the hands of a runner. */
export interface HandedOutJob {
  /** Of its row in `job_runs`. */
  readonly id: number;
  readonly job: { readonly id: number; readonly pipeline_id: number };
}

/**
 * Notes that a runner has a job, which runs from now on.
 * @returns false if it does not wait for that (any more)
 */
export function acknowledgeJob(ctx: Context<Caller>, run: HandedOutJob): Promise<boolean> {
  return ctx.transaction(async () => {
    await lockPipelines(ctx, [run.job.pipeline_id]);
    const now = ctx.clock.now();
    const changed = await ctx.em
      .getKysely<CiDatabase>()
      .with('acknowledged', (db) =>
        db
          .updateTable('job_runs')
          .set({ acknowledged_at: now, contacted_at: now })
          .where('id', '=', run.id)
          .where('acknowledged_at', 'is', null)
          .returning('job_id'),
      )
      .updateTable('jobs as j')
      .from('acknowledged as a')
      .set({ status: 'running', started_at: now, updated_at: now })
      .whereRef('j.id', '=', 'a.job_id')
      .where('j.status', '=', constant('pending'))
      .returning(['j.id', rowPageNotification('pipelines', sql.ref('j.project_id')).as('notified')])
      .execute();
    if (changed.length === 0) return false;
    await requestProcessing(ctx, [run.job.pipeline_id]);
    return true;
  });
}

/**
 * Gives a runner more time to report that it has a job.
 * @returns false if the job does not wait for that (any more)
 */
export async function renewAcknowledgement(ctx: Context<Caller>, run: Pick<HandedOutJob, 'id'>): Promise<boolean> {
  const [renewed] = await ctx.em
    .getKysely<CiDatabase>()
    .updateTable('job_runs')
    .set({ contacted_at: ctx.clock.now() })
    .where('id', '=', run.id)
    .where('acknowledged_at', 'is', null)
    .returning('id')
    .execute();
  return renewed !== undefined;
}
