import type { Context } from '../../core/context/context.js';
import { rowPageNotification } from '../../core/page-changes/page-changes.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { CiDatabase } from '../ci.entities.js';
import { UNSTARTED_STATUSES } from '../job-states/status-predicates.js';
import { selectOlderPipelines } from './older-pipelines.js';

const PENDING_STATUSES = anyOf(UNSTARTED_STATUSES as readonly string[], 'text');

/** Cancels what new pipelines make redundant among older ones that record reports: those that have not begun. */
export async function cancelOutdatedPipelines(ctx: Context, newIds: readonly number[]): Promise<void> {
  if (newIds.length === 0) return;
  const now = ctx.clock.now();
  const canceled = { status: constant('canceled'), finished_at: now, updated_at: now };
  const db = ctx.em.getKysely<CiDatabase>();
  const pipelines = await db
    .with(
      (cte) => cte('outdated').materialized(),
      (of) => selectOlderPipelines(of, newIds, { kind: 'record', now }).where('old.status', '=', PENDING_STATUSES),
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
