import { pipeline, Transform } from 'node:stream';
import type { Readable, TransformCallback, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Context as KoaContext } from 'koa';
import { BadParams, TooLarge } from '../../../shared/core/values/errors.js';
import { ConnectionLost, UnsupportedType } from '../http-errors.js';
import { guarded } from './guard.js';
import type { Body } from './guard.js';

/** Bytes that wait between two of the streams that a body passes through. */
const BUFFER_BYTES = 64 * 1024;
/** What one body may hold of them, packed, unpacked and in between. */
const HELD_BYTES = 4 * BUFFER_BYTES;

/** A body as it is meant, read as fast as whoever takes it. */
interface PlainBody {
  content: Readable;
  /**
   * Settled once the whole body is here, or as much as may wait: what costs more than waiting begins only then.
   * @throws what {@link openPlainBody} tells of the content
   */
  begun: Promise<void>;
}

/** Lets through so many bytes, and tells when its reader is what is waited for. */
class Counted extends Transform {
  #bytes = 0;
  readonly #begun = Promise.withResolvers<void>();

  constructor(private readonly limit: number) {
    super({ highWaterMark: BUFFER_BYTES });
    // Whoever reads it listens too; until then nobody does.
    this.on('error', () => undefined);
    this.begun.catch(() => undefined);
  }

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.limit) return done(new TooLarge());
    if (!this.push(chunk)) this.#begun.resolve();
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#begun.resolve();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#begun.reject(error ?? new ConnectionLost());
    done(error);
  }
}

/** What unpacks a body, in front of `content`; `content` itself for one that is not packed. @throws UnsupportedType */
function unpacker(koa: KoaContext, content: Counted): Writable {
  const coding = koa.get('content-encoding').toLowerCase();
  if (coding === '' || coding === 'identity') return content;
  if (coding !== 'gzip' && coding !== 'x-gzip') throw new UnsupportedType(coding);
  const gunzip = createGunzip({ chunkSize: BUFFER_BYTES });
  gunzip.on('error', () => content.destroy(new BadParams(['the body is no gzip'])));
  pipeline(gunzip, content, () => undefined);
  return gunzip;
}

/**
 * Reads a body as a stream, unpacked where it comes as gzip, without ever holding more than a little of it.
 * @param limit bytes at most, as sent and again as unpacked
 * @returns a body whose content fails with TooLarge, BodyTooSlow, ConnectionLost or BadParams. Destroy it where it is not read
 * @throws UnsupportedType for another coding, Overloaded
 */
export function openPlainBody(body: Body, limit: number): PlainBody {
  const content = new Counted(limit);
  const entry = unpacker(body.koa, content);
  body.claim.take(HELD_BYTES);
  const read = () => finished(body.koa.req.pipe(entry), { readable: false });
  guarded(body, { limit }, read).catch((error: Error) => content.destroy(error));
  return { content, begun: content.begun };
}
