import type { Context as KoaContext } from 'koa';
import type { Context } from '../../../shared/core/context/context.js';
import { openArchiveOf } from '../../../shared/archives/exports/export.operations.js';
import type { ExportedArchive } from '../../../shared/archives/exports/export.operations.js';

/**
 * The part of `bytes` bytes that a `Range` header requests: null for all of them, also where it requests several parts;
 * `beyond` where there is nothing of that part.
 */
function rangeOf(header: string, bytes: number): { start: number; end: number } | 'beyond' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start >= bytes || (first === '' && Number(last) === 0)) return 'beyond';
  return start > end ? null : { start, end };
}

/** Sends an archive as a file to be kept, or the part that was requested, with the digest of the whole. */
export async function sendArchive(koa: KoaContext, ctx: unknown, archive: ExportedArchive): Promise<void> {
  const { bytes, filename, sha256 } = archive;
  const etag = `"${sha256}"`;
  koa.attachment(filename);
  koa.type = 'application/octet-stream';
  koa.set('ETag', etag);
  koa.set('Accept-Ranges', 'bytes');
  koa.set('Digest', `sha-256=${Buffer.from(sha256, 'hex').toString('base64')}`);
  const same = koa.get('If-Range') === '' || koa.get('If-Range') === etag;
  const range = same ? rangeOf(koa.get('Range'), bytes) : null;
  if (range === 'beyond') {
    koa.status = 416;
    koa.set('Content-Range', `bytes */${bytes}`);
    koa.body = '';
    return;
  }
  const length = range ? range.end - range.start + 1 : bytes;
  const content = koa.method === 'HEAD' ? '' : await openArchiveOf(ctx as Context, archive, range ?? undefined);
  koa.status = range ? 206 : 200;
  koa.body = content;
  koa.type = 'application/octet-stream';
  koa.length = length;
  if (range) koa.set('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
}
