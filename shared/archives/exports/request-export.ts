import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { containerColumns } from '../../core/operations/container.js';
import type { ContainerRef } from '../../core/operations/container.js';
import type { SignedInContext } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { cancelJobs } from '../../instance/pg-boss/cancel-jobs.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { exportNotification } from '../archives.pages.js';
import { exportsOf } from './archive-export.finder.js';
import { runExports } from './archive-export.jobs.js';
import { sealUploadUrl } from './send-to-url.js';
import type { UploadTarget } from './send-to-url.js';

/** Options of a project's export. */
interface ExportOptions {
  /** Instead of the project's own. */
  readonly description?: string | null;
  readonly upload?: UploadTarget | null;
}

/** The columns of an upload. */
function uploadColumns(ctx: SignedInContext, { kind, id }: ContainerRef, upload: UploadTarget | null) {
  if (!upload || kind !== 'project') return { upload_url: null, upload_method: null, upload_state: null };
  const upload_url = sealUploadUrl(ctx, { project_id: id, user_id: ctx.caller.id }, upload.url);
  return { upload_url, upload_method: upload.method, upload_state: 'waiting' };
}

/**
 * Requests an export, and sends its job in the same transaction. One that waits already is updated and used.
 */
export async function requestExport(
  ctx: SignedInContext,
  container: ContainerRef,
  { description = null, upload = null }: ExportOptions = {},
): Promise<void> {
  const column = container.kind === 'project' ? 'project_id' : 'namespace_id';
  const jobId = randomUUID();
  const made = await ctx.em
    .getKysely<ArchivesDatabase>()
    .insertInto('archive_exports')
    .values({
      ...containerColumns(container),
      user_id: ctx.caller.id,
      state: 'queued',
      job_id: jobId,
      attempts: 0,
      progress: sql`'[]'`,
      description,
      ...uploadColumns(ctx, container, upload),
      created_at: ctx.clock.now(),
    })
    .onConflict((conflict) =>
      conflict
        .columns([column, 'user_id'])
        .where('state', '=', constant('queued'))
        .where(column, 'is not', null)
        .doUpdateSet(({ ref }) => ({
          description: ref('excluded.description'),
          upload_url: ref('excluded.upload_url'),
          upload_method: ref('excluded.upload_method'),
          upload_state: ref('excluded.upload_state'),
        })),
    )
    .returning(['archive_exports.id', 'archive_exports.job_id', exportNotification('archive_exports')])
    .executeTakeFirst();
  if (!made) throw new Error('An export was not asked for.');
  if (made.job_id === jobId) await ctx.jobs.sendAs(runExports, [{ id: jobId, data: { export_id: made.id } }]);
}

/**
 * Drops the caller's exports of a container: what waits or runs is cancelled, and archives are removed.
 * @returns whether there was anything
 */
export async function dropExports(ctx: SignedInContext, container: ContainerRef): Promise<boolean> {
  const db = ctx.em.getKysely<ArchivesDatabase>();
  const cancelled = await db
    .updateTable('archive_exports as e')
    .set({ state: 'cancelled', finished_at: ctx.clock.now() })
    .where(exportsOf(ctx, container))
    .where('e.state', 'in', [constant('queued'), constant('started')])
    .returning(['e.job_id', exportNotification('e')])
    .execute();
  if (cancelled.length > 0)
    await cancelJobs(
      ctx,
      runExports.name,
      cancelled.map(({ job_id: id }) => id),
    );
  const removed = await db
    .deleteFrom('archive_exports as e')
    .where(exportsOf(ctx, container))
    .where('e.state', 'in', [constant('finished'), constant('failed')])
    .returning(exportNotification('e'))
    .execute();
  return cancelled.length + removed.length > 0;
}
