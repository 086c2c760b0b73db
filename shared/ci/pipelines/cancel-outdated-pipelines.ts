import type { Context } from '../../core/context/context.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { UNSTARTED_STATUSES } from '../job-states/status-predicates.js';

const DAY = 86_400_000;
/** Older pipelines than this many milliseconds are left alone. */
const CANCELLABLE_AGE = 7 * DAY;

const PENDING_STATUSES = anyOf(UNSTARTED_STATUSES as readonly string[], 'text');

/**
 * Cancels what new pipelines make redundant among those that record reports: older ones of the same ref that are for
 * another commit and have not begun, where the project cancels them (`auto_cancel_pending_pipelines`). Runs of schedules are never cancelled so.
 */
export async function cancelOutdatedPipelines(ctx: Context, newIds: readonly number[]): Promise<void> {
  if (newIds.length === 0) return;
  const now = ctx.clock.now();
  const canceled = { status: constant('canceled'), finished_at: now, updated_at: now };
  const db = ctx.em.getKysely<CiDatabase>();
  const pipelines = await db
    .with(
      (cte) => cte('outdated').materialized(),
      (of) =>
        of
          .selectFrom('pipelines as fresh')
          .innerJoin('project_settings as s', (join) =>
            join
              .onRef('s.project_id', '=', 'fresh.project_id')
              .on('s.auto_cancel_pending_pipelines', '=', constant('enabled')),
          )
          .innerJoin('pipelines as old', (join) =>
            join
              .onRef('old.project_id', '=', 'fresh.project_id')
              .onRef('old.ref', '=', 'fresh.ref')
              .onRef('old.tag', '=', 'fresh.tag')
              .onRef('old.id', '<', 'fresh.id'),
          )
          .select('old.id')
          .where('fresh.id', '=', anyOf(newIds, 'bigint'))
          .whereRef('old.sha', '<>', 'fresh.sha')
          .where('old.kind', '=', constant('record'))
          .where('old.source', '<>', constant('schedule'))
          .where('old.status', '=', PENDING_STATUSES)
          .where('old.created_at', '>', new Date(now.getTime() - CANCELLABLE_AGE))
          .orderBy('old.id')
          .forNoKeyUpdate('old'),
    )
    .updateTable('pipelines as pl')
    .from('outdated')
    .set(canceled)
    .whereRef('pl.id', '=', 'outdated.id')
    .where('pl.status', '=', PENDING_STATUSES)
    .returning((eb) => [
      'pl.id',
      'pl.project_id',
      'pl.ref',
      'pl.sha',
      'pl.status',
      rowPageNotification('pipelines', eb.ref('pl.project_id')).as('notified'),
    ])
    .execute();
  if (pipelines.length === 0) return;
  const ids = pipelines.map(({ id }) => id);
  await db
    .updateTable('jobs')
    .set(canceled)
    .where('pipeline_id', '=', anyOf(ids, 'bigint'))
    .where('retried', '=', constant(false))
    .where('status', '=', PENDING_STATUSES)
    .execute();
  for (const { notified: _notified, ...pipeline } of pipelines) ctx.record({ type: 'pipeline.finished', pipeline });
}
