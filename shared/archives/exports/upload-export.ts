import type { Context } from '../../core/context/context.js';
import { openObject } from '../../core/stored-files/storing.js';
import { ObjectMissing } from '../../core/object-store/object-store.js';
import { constant } from '../../core/database/expressions.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { exportNotification } from '../archives.pages.js';
import { authorizeExport, ExportRejected } from './run-export.js';
import { sendToUrl, UploadRejected, openUploadUrl } from './send-to-url.js';
import type { UploadTarget } from './send-to-url.js';

const ERROR_CHARACTERS = 255;

/** A finished export that is to be sent. */
interface WaitingUpload {
  id: number;
  user_id: number;
  project_id: number;
  namespace_id: null;
  upload_url: Uint8Array;
  upload_method: UploadTarget['method'];
  key: string;
  bytes: number;
}

const waitingUpload = (ctx: Context, id: number) =>
  ctx.em
    .getKysely<ArchivesDatabase>()
    .selectFrom('archive_exports as e')
    .innerJoin('stored_objects as o', 'o.id', 'e.object_id')
    .select([
      'e.id',
      'e.user_id',
      'e.project_id',
      'e.namespace_id',
      'e.upload_url',
      'e.upload_method',
      'o.key',
      'o.bytes',
    ])
    .where('e.id', '=', id)
    .where('e.state', '=', constant('finished'))
    .where('e.upload_state', '=', constant('waiting'))
    .where('e.upload_url', 'is not', null)
    .executeTakeFirst() as Promise<WaitingUpload | undefined>;

/** Records whether the archive was sent, and forgets the URL. @returns whether it was still waited for */
async function recordUpload(ctx: Context, id: number, reason: string | null): Promise<boolean> {
  const state = reason === null ? 'sent' : 'failed';
  // Only as long as it is waited for.
  const rows = await ctx.em
    .getKysely<ArchivesDatabase>()
    .updateTable('archive_exports as e')
    .set({ upload_state: state, upload_error: reason?.slice(0, ERROR_CHARACTERS) ?? null, upload_url: null })
    .where('e.id', '=', id)
    .where('e.upload_state', '=', constant('waiting'))
    .returning(exportNotification('e'))
    .execute();
  return rows.length > 0;
}

/** Fails an upload that no try completed. Safe to repeat. */
export const failUpload = (ctx: Context, id: number): Promise<boolean> =>
  ctx.transaction(() => recordUpload(ctx, id, 'The archive could not be sent.'));

/** The same with an event for the audit log. */
async function reportUpload(ctx: Context, id: number, container: Container, host: string, reason: string | null) {
  await ctx.transaction(async () => {
    if (!(await recordUpload(ctx, id, reason))) return;
    const event = { container: container.summary, host };
    ctx.record(
      reason === null
        ? { type: 'archive_export.uploaded', ...event }
        : { type: 'archive_export.upload_failed', ...event, reason },
    );
  });
}

/**
 * Sends the archive of a project to the URL that its exporter named. A failure of the other end, or of its address, is
 * reported in the export and in the audit log, and not tried again. Safe to repeat: the archive is then sent once more.
 * @throws what the queue shall try again
 */
export async function uploadExport(ctx: Context, id: number): Promise<void> {
  const found = await waitingUpload(ctx, id);
  if (!found) return;
  try {
    const { acting, container } = await authorizeExport(ctx, found);
    const url = openUploadUrl(ctx, found, found.upload_url);
    const { key, bytes } = found;
    const reason = await sendToUrl(acting, url, found.upload_method, {
      bytes,
      open: () => openObject(ctx, { key, bytes }),
    }).then(
      () => null,
      (error: unknown) => {
        if (error instanceof UploadRejected) return error.message;
        if (error instanceof ObjectMissing) return 'The archive is gone.';
        throw error;
      },
    );
    await reportUpload(acting, id, container, url.hostname, reason);
  } catch (error) {
    if (!(error instanceof ExportRejected)) throw error;
    await ctx.transaction(() => recordUpload(ctx, id, error.message));
  }
}
