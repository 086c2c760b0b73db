import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Context as KoaContext } from 'koa';
import { jsonListText, jsonText } from './json-text.js';
import { getAnswerBytes } from './traffic.js';

/** Weak, so that a proxy that compresses the body may keep it. */
function getEtag(body: string): string {
  return `W/"${hash('sha1', body, 'base64url')}"`;
}

/** The weak comparison that `If-None-Match` requires. */
export function matches(header: string, etag: string): boolean {
  if (header === '') return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((candidate) => candidate.trim() === '*' || opaque(candidate) === opaque(etag));
}

/**
 * Answers JSON: `application/json` exactly, without a charset (rest-conventions.md section 9). A GET's 200 has
 * an ETag, and is 304 without a body when the client has it already.
 * @throws AnswerTooLarge, Overloaded
 */
export function sendJson(koa: KoaContext, status: number, value: unknown): void {
  sendJsonText(koa, status, jsonText(getAnswerBytes(koa), value));
}

/**
 * Sends a list of records, which are serialized while they are written.
 * @throws AnswerTooLarge, Overloaded
 */
export function sendJsonList<T>(
  koa: KoaContext,
  status: number,
  records: readonly T[],
  present?: (record: T) => unknown,
): void {
  sendJsonText(koa, status, jsonListText(getAnswerBytes(koa), records, present));
}

/** Sends an error with a short message, regardless of the memory that other responses hold. */
export function sendErrorBody(koa: KoaContext, status: number, body: Record<string, unknown>): void {
  sendJsonText(koa, status, JSON.stringify(body));
}

function sendJsonText(koa: KoaContext, status: number, body: string): void {
  koa.status = status;
  if (status === 200 && (koa.method === 'GET' || koa.method === 'HEAD')) {
    const etag = getEtag(body);
    koa.set('ETag', etag);
    koa.set('Cache-Control', 'max-age=0, private, must-revalidate');
    if (matches(koa.get('if-none-match'), etag)) {
      koa.status = 304;
      koa.body = null;
      return;
    }
  }
  koa.body = body;
  koa.set('Content-Type', 'application/json');
}

/** Answers raw content, such as a file of a repository: `text/plain`, whatever it holds, so that no browser runs it. */
export function sendText(koa: KoaContext, content: string | Buffer | Readable, status = 200): void {
  koa.status = status;
  koa.body = content;
  koa.set('Content-Type', 'text/plain');
}

/** Sends an image as a download; if a browser displays it nevertheless, no script runs. */
export function sendPicture(
  koa: KoaContext,
  _ctx: unknown,
  picture: { bytes: Buffer; mediaType: string; filename: string },
): void {
  koa.status = 200;
  koa.body = picture.bytes;
  koa.set('Content-Type', picture.mediaType);
  koa.set('Content-Disposition', `attachment; filename="${picture.filename}"`);
  koa.set('Content-Security-Policy', "default-src 'none'; sandbox");
}

/** Answers without body and content type. */
export function sendNothing(koa: KoaContext, status = 204): void {
  koa.body = null;
  koa.status = status;
}
