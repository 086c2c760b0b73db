import { addAbortSignal, pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ArchiveRejected, TOO_LARGE } from './archive-rejected.js';

const EMPTY = Buffer.alloc(0);

/** Bytes of a header of a tar file, and what contents are filled up to. */
export const BLOCK = 512;

/** Bytes that arrive in pieces and are consumed in whole blocks; only the last read may be shorter than a block. */
export class ByteSource {
  #rest: Buffer = EMPTY;

  constructor(private readonly pieces: AsyncIterator<Buffer>) {}

  async #fill(): Promise<void> {
    while (this.#rest.length < BLOCK) {
      const { done, value } = await this.pieces.next();
      if (done) return;
      this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value]);
    }
  }

  /** At least one block and at most `most` of the next bytes; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    await this.#fill();
    const { length } = this.#rest;
    if (length === 0) return null;
    const part = this.#rest.subarray(0, length < BLOCK ? length : Math.min(most, length - (length % BLOCK)));
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  /** The next `length` bytes, or as many as there are before the end. */
  async exactly(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0;) {
      const piece = await this.some(missing);
      if (piece === null) break;
      parts.push(piece);
      missing -= piece.length;
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  /** Ends the pieces early. */
  async close(): Promise<void> {
    await this.pieces.return?.();
  }
}

/** What decompressing may cost. */
export interface GunzipLimits {
  /** Bytes once decompressed; 0 for any. */
  readonly maxBytes: number;
  /** Milliseconds; left out for any. Only for a pass that waits for nothing but the archive. */
  readonly maxMs?: number;
  readonly signal: AbortSignal;
}

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024;
/** Real archives reach 50 to 1 on repeated rows; only malicious ones come close to gzip's maximum of 1,032. */
const MOST_RATIO = 200;
/** Below this much, a ratio does no harm. */
const RATIO_FROM = 64 * MIB;

function gzipProblem(error: unknown): ArchiveRejected | null {
  const code = (error as { code?: string }).code;
  if (code === 'Z_BUF_ERROR')
    return new ArchiveRejected('The archive is cut off, or has something behind its end.', {}, { cause: error });
  if (typeof code !== 'string' || !code.startsWith('Z_')) return null;
  const message = (error as Error).message;
  const reason = /incorrect header check|unknown compression/.test(message)
    ? 'The archive is not compressed by gzip, or has something behind its end.'
    : 'The archive is damaged.';
  return new ArchiveRejected(reason, {}, { cause: error });
}

/**
 * The bytes of a gzip file, counted as they arrive: reading stops once a limit is exceeded.
 * @param source always destroyed at the end
 * @throws ArchiveRejected, errors of the source, the signal's reason
 */
export async function* gunzip(source: Readable, { maxBytes, maxMs, signal }: GunzipLimits): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const gunzipped = createGunzip({ chunkSize: CHUNK });
  let compressed = 0;
  let total = 0;
  source.on('data', ({ length }: Buffer) => {
    compressed += length;
  });
  source.pause();
  // What goes wrong ends the iteration below too.
  pipeline(source, addAbortSignal(signal, gunzipped), () => {});
  try {
    for await (const chunk of gunzipped as AsyncIterable<Buffer>) {
      total += chunk.length;
      const wasteful = total > RATIO_FROM && total > gunzipped.bytesWritten * MOST_RATIO;
      const late = maxMs !== undefined && performance.now() - startedAt > maxMs;
      if ((maxBytes > 0 && total > maxBytes) || wasteful || late) throw new ArchiveRejected(TOO_LARGE);
      yield chunk;
    }
    // Zeros behind the end are passed over in silence.
    if (gunzipped.bytesWritten !== compressed) throw new ArchiveRejected('The archive has something behind its end.');
  } catch (error) {
    signal.throwIfAborted();
    throw gzipProblem(error) ?? error;
  } finally {
    gunzipped.destroy();
    source.destroy();
  }
}
