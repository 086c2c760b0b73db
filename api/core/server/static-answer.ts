import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';
import { matches, sendNothing } from '../respond.js';
import { acceptedEncoding, compress, ENCODINGS } from './encodings.js';
import type { Encoding } from './encodings.js';

/** Bytes that are the same for everybody for as long as the process runs. */
interface StaticAnswer {
  type: string;
  bytes: Buffer;
  etag: string;
}

/** The same content plain and compressed, each form with an ETag of its own. */
export interface StaticForms {
  plain: StaticAnswer;
  packed: readonly (readonly [Encoding, StaticAnswer])[];
}

export function staticAnswer(type: string, content: string | Buffer): StaticAnswer {
  const bytes = Buffer.from(content as string);
  return { type, bytes, etag: `"${createHash('sha1').update(bytes).digest('base64url')}"` };
}

/** Compresses a text that is cached and sent many times. */
export async function staticForms(type: string, text: string): Promise<StaticForms> {
  const packed = await Promise.all(
    ENCODINGS.map(async (encoding) => {
      const bytes = await compress(encoding, text, 'thorough');
      return [encoding, staticAnswer(type, bytes)] as const;
    }),
  );
  return { plain: staticAnswer(type, text), packed };
}

/** The form that the client reads and that is smallest; headers say which it is. */
export function chooseForm(koa: KoaContext, { plain, packed }: StaticForms): StaticAnswer {
  const encoding = acceptedEncoding(
    koa,
    packed.map(([name]) => name),
  );
  const [, chosen] = packed.find(([name]) => name === encoding) ?? [];
  if (chosen) koa.set('Content-Encoding', encoding as string);
  return chosen ?? plain;
}

/**
 * Sends it, or 304 to a client that has a current copy. Browsers revalidate each time, so that upgrades take effect at
 * once.
 */
export function sendStatic(koa: KoaContext, forms: StaticForms): void {
  const answer = chooseForm(koa, forms);
  koa.status = 200;
  koa.set('ETag', answer.etag);
  koa.set('Cache-Control', 'no-cache');
  if (matches(koa.get('if-none-match'), answer.etag)) {
    koa.remove('Content-Encoding');
    return sendNothing(koa, 304);
  }
  koa.body = answer.bytes;
  koa.set('Content-Type', answer.type);
}
