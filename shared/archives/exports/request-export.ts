import { randomUUID } from 'node:crypto';
import { containerColumn, containerColumns } from '../../core/container.js';
import type { ContainerRef } from '../../core/container.js';
import type { SignedInContext } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { cancelJobs } from '../../instance/pg-boss/cancel-jobs.js';
import { exportNotification } from '../archives.pages.js';
import { exportsOf } from './archive-export.finder.js';
import { runExports } from './archive-export.jobs.js';
import { sealUploadUrl } from './send-to-url.js';
import type { UploadTarget } from './send-to-url.js';

/** What of a project's export is wished. */
interface ExportWishes {
  /** In place of the project's own. */
  readonly description?: string | null;
  readonly upload?: UploadTarget | null;
}

/** The columns of an upload. */
function uploadColumns(ctx: SignedInContext, { kind, id }: ContainerRef, upload: UploadTarget | null) {
  if (!upload || kind !== 'project') return { url: null, method: null, state: null };
  const url = sealUploadUrl(ctx, { project_id: id, user_id: ctx.caller.id }, upload.url);
  return { url, method: upload.method, state: 'waiting' };
}

/**
 * Asks for an export, and sends its job in the same transaction. What waits already is the export that is asked for.
 */
export async function requestExport(
  ctx: SignedInContext,
  container: ContainerRef,
  { description = null, upload = null }: ExportWishes = {},
): Promise<void> {
  const { project_id: project, namespace_id: namespace } = containerColumns(container);
  const column = containerColumn(container.kind);
  const jobId = randomUUID();
  const { url, method, state } = uploadColumns(ctx, container, upload);
  const [made] = await ctx.query<{ id: number; job_id: string }>(sql`
    insert into archive_exports as e (project_id, namespace_id, user_id, job_id, description, upload_url, upload_method, upload_state, created_at)
    values (${project}, ${namespace}, ${ctx.caller.id}, ${jobId}::uuid, ${description}, ${url}, ${method}, ${state}, ${ctx.clock.now()})
    on conflict (${column}, user_id) where state = 'queued' and ${column} is not null
      do update set description = excluded.description, upload_url = excluded.upload_url,
                    upload_method = excluded.upload_method, upload_state = excluded.upload_state
    returning e.id as "id", e.job_id::text as "job_id", ${exportNotification('e')}`);
  if (!made) throw new Error('An export was not asked for.');
  if (made.job_id === jobId) await ctx.jobs.sendAs(runExports, [{ id: jobId, data: { export_id: made.id } }]);
}

/**
 * Ends the caller's exports of a container: what waits or runs is cancelled, and archives are removed.
 * @returns whether there was anything
 */
export async function dropExports(ctx: SignedInContext, container: ContainerRef): Promise<boolean> {
  const cancelled = await ctx.query<{ job_id: string }>(sql`
    update archive_exports e set state = 'cancelled', finished_at = ${ctx.clock.now()}
     where ${exportsOf(ctx, container)} and e.state in ('queued', 'started')
    returning e.job_id::text as "job_id", ${exportNotification('e')}`);
  if (cancelled.length > 0)
    await cancelJobs(
      ctx,
      runExports.name,
      cancelled.map(({ job_id: id }) => id),
    );
  const removed = await ctx.query(sql`
    delete from archive_exports e where ${exportsOf(ctx, container)} and e.state in ('finished', 'failed')
    returning ${exportNotification('e')}`);
  return cancelled.length + removed.length > 0;
}
