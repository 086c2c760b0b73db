import { pipeline, Transform } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Gunzip } from 'node:zlib';
import { BadParams, TooLarge } from '../../../shared/core/values/errors.js';
import { ConnectionLost, UnsupportedType } from '../http-errors.js';
import { guardBody } from './guard.js';
import type { Body } from './guard.js';

/** Bytes that wait between two of the streams that a body passes through. */
export const BUFFER_BYTES = 64 * 1024;
/** What one body may hold of them, packed, unpacked and in between. */
const HELD_BYTES = 4 * BUFFER_BYTES;

/**
 * Reads a body as a stream, decompressing gzip, without ever buffering more than a little of it.
 * @param limit maximum bytes, both as sent and as decompressed
 * @returns `content`, which fails with TooLarge, BodyTooSlow, ConnectionLost or BadParams (destroy it if it is not
 * read), and `begun`, which fails with the same errors and resolves once the whole body, or as much as the buffer
 * holds, has arrived: work that costs more than waiting starts only then
 * @throws UnsupportedType for another content encoding, Overloaded
 */
export function openPlainBody(body: Body, limit: number): { content: Readable; begun: Promise<void> } {
  const { koa, claim } = body;
  const coding = koa.get('content-encoding').toLowerCase();
  if (!['', 'identity', 'gzip', 'x-gzip'].includes(coding)) throw new UnsupportedType(coding);
  const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
  begun.catch(() => undefined);
  let bytes = 0;
  const content = new Transform({
    highWaterMark: BUFFER_BYTES,
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > limit) return done(new TooLarge());
      // The buffer is full, so the stream's reader is now the slower side.
      if (!this.push(chunk)) resolve();
      done();
    },
    flush: (done) => (resolve(), done()),
  });
  // The reader adds its own listeners; until then there are none.
  content.on('error', reject).on('close', () => reject(new ConnectionLost()));
  let entry: Writable = content;
  if (coding.endsWith('gzip')) {
    entry = createGunzip({ chunkSize: BUFFER_BYTES });
    entry.on('error', () => content.destroy(new BadParams(['the body is no gzip'])));
    pipeline(entry as Gunzip, content, () => undefined);
  }
  claim.take(HELD_BYTES);
  const read = () => finished(koa.req.pipe(entry), { readable: false });
  guardBody(body, limit, () => undefined, read).catch((error: Error) => content.destroy(error));
  return { content, begun };
}
