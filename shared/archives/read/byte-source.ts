const EMPTY = Buffer.alloc(0);

/** Bytes of a header of a tar file, and what contents are filled up to. */
export const BLOCK = 512;

/** Bytes that arrive in pieces, taken in whole blocks; only the last ones may be less than a block. */
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

  /** At least one block and at most `most` bytes of what is there next; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    await this.#fill();
    const { length } = this.#rest;
    if (length === 0) return null;
    const taken = this.#rest.subarray(0, length < BLOCK ? length : Math.min(most, length - (length % BLOCK)));
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** The next `length` bytes, or as many as there are before the end. */
  async exactly(length: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    for (let missing = length; missing > 0;) {
      const piece = await this.some(missing);
      if (piece === null) break;
      taken.push(piece);
      missing -= piece.length;
    }
    return taken.length === 1 ? (taken[0] as Buffer) : Buffer.concat(taken);
  }

  /** Ends the pieces early. */
  async close(): Promise<void> {
    await this.pieces.return?.();
  }
}
