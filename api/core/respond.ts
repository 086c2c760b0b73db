import { hash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';

/** Weak, so that a proxy that compresses the body may keep it. */
function etagOf(body: string): string {
  return `W/"${hash('sha1', body, 'base64url')}"`;
}

function matches(header: string, etag: string): boolean {
  if (header === '') return false;
  return header.split(',').some((candidate) => candidate.trim() === etag || candidate.trim() === '*');
}

/**
 * Answers JSON: `application/json` exactly, without a charset (rest-conventions.md section 9). A GET's 200 has
 * an ETag, and is 304 without a body when the client has it already.
 */
export function sendJson(koa: KoaContext, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  koa.status = status;
  if (status === 200 && (koa.method === 'GET' || koa.method === 'HEAD')) {
    const etag = etagOf(body);
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

/** Answers without body and content type. */
export function sendNothing(koa: KoaContext, status = 204): void {
  koa.body = null;
  koa.status = status;
}
