import type { Readable } from 'node:stream';
import { NotGitProtocol } from '../errors.js';

/** Waits for an event of a stream: bytes, its end, or an error. */
function stirred(source: Readable): Promise<void> {
  const events = ['readable', 'end', 'error', 'close'] as const;
  return new Promise((resolve) => {
    const wake = () => {
      for (const event of events) source.off(event, wake);
      resolve();
    };
    for (const event of events) source.on(event, wake);
  });
}

/** Reads the beginning of a stream byte by byte; what follows goes on as a stream. */
export class ByteReader {
  #held: Buffer = Buffer.alloc(0);

  constructor(private readonly source: Readable) {}

  /** The bytes received but not consumed. */
  get held(): Buffer {
    return this.#held;
  }

  /** Waits for this many bytes. @returns whether they arrive before the stream ends @throws the error of the stream */
  async has(count: number): Promise<boolean> {
    while (this.#held.length < count) {
      const piece = this.source.read() as Buffer | null;
      if (piece) this.#held = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
      else if (this.source.readableEnded) return false;
      else if (this.source.errored) throw this.source.errored;
      else if (this.source.destroyed) throw new NotGitProtocol('the request ends early');
      else await stirred(this.source);
    }
    return true;
  }

  /** Takes bytes that are here. */
  take(count: number): Buffer {
    const part = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return part;
  }

  /** All unconsumed data, as a stream; do not use this reader afterward. */
  rest(): Readable {
    if (this.#held.length > 0) this.source.unshift(this.#held);
    this.#held = Buffer.alloc(0);
    return this.source;
  }
}
