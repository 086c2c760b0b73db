/** Data that is not a valid public key of its declared type. */
export class MalformedKey extends Error {}

/**
 * Reads the strings of an SSH blob one after the other (RFC 4251 section 5): four bytes of length, then so many bytes.
 * Nothing is copied, and a length beyond the end is refused before anything is read.
 */
export class SshWireReader {
  #at = 0;

  constructor(private readonly blob: Buffer) {}

  /** @throws MalformedKey where the blob ends before */
  bytes(): Buffer {
    const start = this.#at + 4;
    if (start > this.blob.length) throw new MalformedKey();
    const end = start + this.blob.readUInt32BE(this.#at);
    if (end > this.blob.length) throw new MalformedKey();
    this.#at = end;
    return this.blob.subarray(start, end);
  }

  /** Exactly so many bytes. @throws MalformedKey */
  bytesOf(length: number): Buffer {
    const bytes = this.bytes();
    if (bytes.length !== length) throw new MalformedKey();
    return bytes;
  }

  /** A positive integer in its shortest form, without the zero that keeps its sign. @throws MalformedKey */
  positive(): Buffer {
    const bytes = this.bytes();
    const [first, second] = [bytes[0] ?? 0, bytes[1] ?? 0];
    if (bytes.length === 0 || first >= 0x80) throw new MalformedKey();
    if (first !== 0) return bytes;
    // A zero is there for the sign of what follows, and for nothing else.
    if (second < 0x80) throw new MalformedKey();
    return bytes.subarray(1);
  }

  /** @throws MalformedKey unless it is this very text */
  expect(text: string): void {
    if (!this.bytes().equals(Buffer.from(text))) throw new MalformedKey();
  }

  /** @throws MalformedKey where anything follows */
  end(): void {
    if (this.#at !== this.blob.length) throw new MalformedKey();
  }
}
