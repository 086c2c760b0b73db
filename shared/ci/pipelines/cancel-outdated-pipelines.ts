import type { Context } from '../../core/context.js';
import { rowToldToPages } from '../../core/page-changes/page-changes.js';
import { raw, sql } from '../../core/sql.js';
import type { FinishedPipeline } from '../ci.events.js';

const DAY = 86_400_000;
/** Older pipelines than this many milliseconds are left alone. */
const CANCELLABLE_AGE = 7 * DAY;

/** States in which no job has begun: whatever has begun is not known to be interruptible. */
const PENDING_STATUSES = ['created', 'waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending'];

/**
 * Cancels what new pipelines make redundant: older ones of the same ref that are for another commit and have not begun,
 * where the project cancels them (`auto_cancel_pending_pipelines`). Runs of schedules are never cancelled so.
 */
export async function cancelOutdatedPipelines(ctx: Context, newIds: readonly number[]): Promise<void> {
  if (newIds.length === 0) return;
  const now = ctx.clock.now();
  const canceled = await ctx.query<FinishedPipeline & { told: unknown }>(sql`
    with outdated as materialized (
      select old.id from pipelines fresh
        join project_settings s on s.project_id = fresh.project_id and s.auto_cancel_pending_pipelines = 'enabled'
        join pipelines old
          on old.project_id = fresh.project_id and old.ref = fresh.ref and old.tag = fresh.tag and old.id < fresh.id
       where fresh.id = any(${[...newIds]}::bigint[]) and old.sha <> fresh.sha and old.source <> 'schedule'
         and old.status = any(${PENDING_STATUSES}::text[])
         and old.created_at > ${new Date(now.getTime() - CANCELLABLE_AGE)}::timestamptz
       order by old.id for no key update of old)
    update pipelines pl set status = 'canceled', finished_at = ${now}, updated_at = ${now}
      from outdated where pl.id = outdated.id and pl.status = any(${PENDING_STATUSES}::text[])
    returning pl.id as "id", pl.project_id as "project_id", pl.ref as "ref", pl.sha as "sha", pl.status as "status",
              ${rowToldToPages('pipelines', raw('pl.project_id'))} as "told"`);
  if (canceled.length === 0) return;
  await ctx.query(sql`
    update jobs set status = 'canceled', finished_at = ${now}, updated_at = ${now}
     where pipeline_id = any(${canceled.map(({ id }) => id)}::bigint[]) and not retried
       and status = any(${PENDING_STATUSES}::text[])`);
  for (const { told: _told, ...pipeline } of canceled) ctx.record({ type: 'pipeline.finished', pipeline });
}
