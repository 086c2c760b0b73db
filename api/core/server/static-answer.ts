import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';
import { matches, sendNothing } from '../respond.js';

/** Bytes that are the same for everybody for as long as the process runs. */
export interface StaticAnswer {
  type: string;
  bytes: Buffer;
  etag: string;
}

export function staticAnswer(type: string, content: string | Buffer): StaticAnswer {
  const bytes = Buffer.from(content as string);
  return { type, bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` };
}

/** Sends it, or 304 to a client that has it. Browsers ask each time, so that an upgrade is seen at once. */
export function sendStatic(koa: KoaContext, answer: StaticAnswer): void {
  koa.status = 200;
  koa.set('ETag', answer.etag);
  koa.set('Cache-Control', 'no-cache');
  if (matches(koa.get('if-none-match'), answer.etag)) return sendNothing(koa, 304);
  koa.body = answer.bytes;
  koa.set('Content-Type', answer.type);
}
