import type { Readable } from 'node:stream';
import type { Context as KoaContext } from 'koa';
import { matches } from './respond.js';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** A stored file, not opened yet. */
export interface StoredDownload {
  filename: string;
  bytes: number;
  /** Hexadecimal; null for bytes that may change. */
  sha256: string | null;
  /** `application/octet-stream` by default. */
  mediaType?: string;
  /** Null for a file without a byte. */
  open(range?: Range): Promise<Readable | null>;
}

/** One range of bytes; several at once are not answered, which RFC 9110 section 14.2 leaves to the server. */
const RANGE = /^bytes=(\d*)-(\d*)$/i;

/**
 * The range that a request specifies: null for the whole file and for invalid ranges; `none` if the range lies outside
 * the file.
 */
function getRange(header: string, bytes: number): Range | 'none' | null {
  const [, first = '', last = ''] = RANGE.exec(header.trim()) ?? [];
  if (first === '' && last === '') return null;
  if (first === '')
    return Number(last) === 0 || bytes === 0 ? 'none' : { start: Math.max(bytes - Number(last), 0), end: bytes - 1 };
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Number(last);
  if (last !== '' && end < start) return null;
  return start >= bytes ? 'none' : { start, end: Math.min(end, bytes - 1) };
}

/** The range counts for this very file only. */
function requestedRange(koa: KoaContext, etag: string | null, bytes: number): Range | 'none' | null {
  const condition = koa.get('if-range');
  return condition === '' || condition === etag ? getRange(koa.get('range'), bytes) : null;
}

/**
 * Sends a stored file, or a range of it, as a download stream. If a browser displays it nevertheless, no script runs.
 * The file name contains no character that needs quoting.
 */
export async function sendFile(koa: KoaContext, _ctx: unknown, file: StoredDownload): Promise<void> {
  const etag = file.sha256 === null ? null : `"${file.sha256}"`;
  koa.set({ 'Accept-Ranges': 'bytes', 'Content-Security-Policy': "default-src 'none'; sandbox" });
  if (etag !== null) koa.set('ETag', etag);
  if (etag !== null && matches(koa.get('if-none-match'), etag)) {
    koa.status = 304;
    koa.body = null;
    return;
  }
  const range = requestedRange(koa, etag, file.bytes);
  if (range === 'none') {
    koa.status = 416;
    koa.body = null;
    koa.status = 416;
    koa.set('Content-Range', `bytes */${file.bytes}`);
    return;
  }
  const bytes = range ? range.end - range.start + 1 : file.bytes;
  const content = koa.method === 'HEAD' ? null : await file.open(range ?? undefined);
  // Each part of the service that waits for the end of an answer listens, and the stream with four ears.
  koa.res.setMaxListeners(20);
  koa.body = content ?? '';
  koa.status = range ? 206 : 200;
  koa.attachment(file.filename);
  koa.set('Content-Type', file.mediaType ?? 'application/octet-stream');
  koa.set('Content-Length', String(bytes));
  if (range) koa.set('Content-Range', `bytes ${range.start}-${range.end}/${file.bytes}`);
}
