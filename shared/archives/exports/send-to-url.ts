import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Context } from '../../core/context/context.js';
import { addressesToAsk, OutboundRejectedError } from '../../core/network/outbound.js';
import { Invalid } from '../../core/values/errors.js';
import { importUrlProblem } from '../../tenancy/projects/import-url.js';
import { openObject } from '../../core/stored-files/storing.js';
import { ObjectMissing } from '../../core/object-store/object-store.js';
import { constant } from '../../core/database/expressions.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { exportNotification } from '../archives.pages.js';
import { authorizeExport, ExportRejected } from './run-export.js';

export const UPLOAD_METHODS = ['PUT', 'POST'] as const;

/** Where an archive is sent once it is written, and how. */
export interface UploadTarget {
  readonly url: string;
  readonly method: (typeof UPLOAD_METHODS)[number];
}

/** The owner of an export: the encrypted upload URL is bound to it. */
interface UploadOwner {
  readonly project_id: number;
  readonly user_id: number;
}

const boundTo = ({ project_id, user_id }: UploadOwner) => `archive_exports.upload_url:${project_id}:${user_id}`;

/** A URL as it is stored. */
export const sealUploadUrl = (ctx: Context, owner: UploadOwner, url: string): Uint8Array =>
  ctx.services.keys.encrypt(url, boundTo(owner));

/** The URL that {@link sealUploadUrl} stored. */
const openUploadUrl = (ctx: Context, owner: UploadOwner, sealed: Uint8Array): URL =>
  new URL(ctx.services.keys.decrypt(Buffer.from(sealed), boundTo(owner)));

/** Validates the upload URL of an archive; null if valid: the rules of decision 20, with http and https only. */
const uploadUrlProblem = (ctx: Context, url: string): string | null => importUrlProblem(ctx, url, ['http', 'https']);

/** @throws Invalid `{"message":{"url":["is blocked: …"]}}` for a URL that may not be requested */
export function requireUploadUrl(ctx: Context, url: string): void {
  const problem = uploadUrlProblem(ctx, url);
  if (problem !== null) throw new Invalid({ url: [problem] });
}

/** The remote server did not accept the archive. The message gives the reason to the user who set the URL. */
class UploadRejected extends Error {}

/** Timeout for a server that accepts no bytes, or sends no response, for a minute. */
const SILENCE_MS = 60_000;

/** Bytes that are sent, and how many. */
interface Sent {
  readonly bytes: number;
  open(): Promise<Readable>;
}

/** Sends bytes to one address. @returns the status of the answer */
async function sendTo(address: string, url: URL, method: string, { bytes, open }: Sent, signal: AbortSignal) {
  const family = isIPv6(address) ? 6 : 4;
  const lookup: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [{ address, family }]) : done(null, address, family);
  const headers = { 'Content-Type': 'application/gzip', 'Content-Length': bytes, 'User-Agent': 'capstan' };
  const content = await open();
  return new Promise<number>((resolve, reject) => {
    const options = { method, lookup, headers, agent: false, signal, timeout: SILENCE_MS };
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (answer) => {
      // The response body is ignored, as is whether the server read the whole request before responding.
      answer.resume();
      resolve(answer.statusCode ?? 0);
      answer.on('error', () => {});
    });
    request.on('timeout', () => request.destroy(new Error('The server is silent.')));
    pipeline(content, request, (error) => {
      if (error) reject(error);
    });
    request.on('error', reject);
  });
}

/**
 * Sends bytes to a URL set by a user, by the rules of decision 20: every address of its host name is checked, and the
 * connection uses one of these. Redirects are not followed.
 * @throws UploadRejected; errors of `open`; the signal's reason
 */
async function sendToUrl(ctx: Context, url: URL, method: UploadTarget['method'], sent: Sent): Promise<void> {
  const problem = uploadUrlProblem(ctx, url.href);
  if (problem !== null) throw new UploadRejected(`The URL ${problem}`);
  const addresses = await addressesToAsk(ctx, url).catch((error: unknown) => {
    if (error instanceof OutboundRejectedError) throw new UploadRejected(`The URL is blocked: ${error.message}`);
    throw error;
  });
  const status = await sendTo(addresses[0] as string, url, method, sent, ctx.signal).catch((error: unknown) => {
    ctx.signal.throwIfAborted();
    ctx.log.info({ err: error, host: url.host }, 'archive_export.not_sent');
    throw new UploadRejected('The server does not answer, or broke the connection off.', { cause: error });
  });
  if (status < 200 || status >= 300) throw new UploadRejected(`The server answered with status ${status}.`);
}

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
 * Uploads the archive of a project to the URL set by its exporter. A failure of the remote server, or of its address,
 * is reported in the export and in the audit log, and not retried. Safe to repeat: the archive is then uploaded again.
 * @throws errors that the queue should retry
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
