import type { Context } from '../../core/context.js';
import { openObject } from '../../core/object-store/storing.js';
import { ObjectMissing } from '../../core/object-store/object-store.js';
import { sql } from '../../core/sql.js';
import type { Container } from '../../tenancy/containers/container.js';
import { exportNotification } from '../archives.pages.js';
import { admitted, ExportRefused } from './run-export.js';
import { sendToUrl, UploadRefused, openUploadUrl } from './send-to-url.js';
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
  ctx.queryOne<WaitingUpload>(sql`
    select e.id as "id", e.user_id as "user_id", e.project_id as "project_id", e.namespace_id as "namespace_id",
           e.upload_url as "upload_url", e.upload_method as "upload_method", o.key as "key", o.bytes as "bytes"
      from archive_exports e join stored_objects o on o.id = e.object_id
     where e.id = ${id} and e.state = 'finished' and e.upload_state = 'waiting' and e.upload_url is not null`);

/** Notes how the sending ended, and forgets the URL. @returns whether it was still waited for */
async function noteEnd(ctx: Context, id: number, reason: string | null): Promise<boolean> {
  const state = reason === null ? 'sent' : 'failed';
  // Plain SQL: only as long as it is waited for.
  const rows = await ctx.query(sql`
    update archive_exports e
       set upload_state = ${state}, upload_error = ${reason?.slice(0, ERROR_CHARACTERS) ?? null}, upload_url = null
     where id = ${id} and upload_state = 'waiting' returning ${exportNotification('e')}`);
  return rows.length > 0;
}

/** Ends a sending that no try brought to an end. Safe to repeat. */
export const failUpload = (ctx: Context, id: number): Promise<boolean> =>
  ctx.transaction(() => noteEnd(ctx, id, 'The archive could not be sent.'));

/** The same with the container told, for the audit log. */
async function tellEnd(ctx: Context, id: number, container: Container, host: string, reason: string | null) {
  await ctx.transaction(async () => {
    if (!(await noteEnd(ctx, id, reason))) return;
    const told = { container: container.named, host };
    ctx.record(
      reason === null
        ? { type: 'archive_export.uploaded', ...told }
        : { type: 'archive_export.upload_failed', ...told, reason },
    );
  });
}

/**
 * Sends the archive of a project to where its exporter wished. What the other end, or its address, is the reason of is
 * told in the export and in the audit log, and not tried again. Safe to repeat: the archive is then sent once more.
 * @throws what the queue shall try again
 */
export async function uploadExport(ctx: Context, id: number): Promise<void> {
  const found = await waitingUpload(ctx, id);
  if (!found) return;
  try {
    const { acting, container } = await admitted(ctx, found);
    const url = openUploadUrl(ctx, found, found.upload_url);
    const { key, bytes } = found;
    const reason = await sendToUrl(acting, url, found.upload_method, {
      bytes,
      open: () => openObject(ctx, { key, bytes }),
    }).then(
      () => null,
      (error: unknown) => {
        if (error instanceof UploadRefused) return error.message;
        if (error instanceof ObjectMissing) return 'The archive is gone.';
        throw error;
      },
    );
    await tellEnd(acting, id, container, url.hostname, reason);
  } catch (error) {
    if (!(error instanceof ExportRefused)) throw error;
    await ctx.transaction(() => noteEnd(ctx, id, error.message));
  }
}
