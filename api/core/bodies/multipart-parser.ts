import { mismatch } from './read-body.js';

/** Gets what a multipart body consists of, in its order. */
export interface PartReader {
  head(bytes: Buffer): void;
  data(bytes: Buffer): void;
  end(): void;
}

/** Bytes of the head of one part. */
const HEAD_BYTES = 8 * 1024;
const LINE: Buffer = Buffer.from('\r\n');
const EMPTY_LINE: Buffer = Buffer.from('\r\n\r\n');
const EMPTY: Buffer = Buffer.alloc(0);
const DASH = 0x2d;

/**
 * Takes a multipart body apart as it arrives (RFC 2046 section 5.1). It keeps no more than the head of a part, and looks
 * at each byte a few times at most, whatever the body holds.
 */
export class MultipartParser {
  readonly #delimiter: Buffer;
  /** Not looked at yet. The first delimiter may stand without the line's end before it. */
  #rest = LINE;
  #state: 'preamble' | 'delimiter' | 'head' | 'data' | 'epilogue' = 'preamble';

  constructor(
    boundary: string,
    private readonly reader: PartReader,
  ) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** @throws BadParams for what is no multipart body, and what the reader throws */
  write(piece: Buffer): void {
    let rest: Buffer = Buffer.concat([this.#rest, piece]);
    for (let left = this.#step(rest); left !== null; left = this.#step(rest)) rest = left;
    this.#rest = this.#keep(rest);
  }

  /** @throws BadParams when the last delimiter has not come */
  finish(): void {
    if (this.#state !== 'epilogue') throw mismatch();
  }

  /** Goes on by one element; null where it has not arrived whole. */
  #step(bytes: Buffer): Buffer | null {
    switch (this.#state) {
      case 'preamble':
      case 'data':
        return this.#toDelimiter(bytes);
      case 'delimiter':
        return this.#afterDelimiter(bytes);
      case 'head':
        return this.#head(bytes);
      default:
        return null;
    }
  }

  #toDelimiter(bytes: Buffer): Buffer | null {
    const at = bytes.indexOf(this.#delimiter);
    if (at < 0) return null;
    if (this.#state === 'data') {
      if (at > 0) this.reader.data(bytes.subarray(0, at));
      this.reader.end();
    }
    this.#state = 'delimiter';
    return bytes.subarray(at + this.#delimiter.length);
  }

  #afterDelimiter(bytes: Buffer): Buffer | null {
    if (bytes.length < 2) return null;
    const last = bytes[0] === DASH && bytes[1] === DASH;
    if (!last && !bytes.subarray(0, 2).equals(LINE)) throw mismatch();
    this.#state = last ? 'epilogue' : 'head';
    // The line's end stays: a head without a line begins with the empty one.
    return last ? bytes.subarray(2) : bytes;
  }

  #head(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(EMPTY_LINE);
    if ((end < 0 ? bytes.length : end) > HEAD_BYTES) throw mismatch();
    if (end < 0) return null;
    this.reader.head(bytes.subarray(LINE.length, Math.max(end, LINE.length)));
    this.#state = 'data';
    return bytes.subarray(end + EMPTY_LINE.length);
  }

  /** What is needed of bytes that no step takes. */
  #keep(bytes: Buffer): Buffer {
    if (this.#state === 'epilogue') return EMPTY;
    if (this.#state !== 'preamble' && this.#state !== 'data') return bytes;
    const kept = Math.min(this.#delimiter.length - 1, bytes.length);
    const done = bytes.length - kept;
    if (this.#state === 'data' && done > 0) this.reader.data(bytes.subarray(0, done));
    return bytes.subarray(done);
  }
}
