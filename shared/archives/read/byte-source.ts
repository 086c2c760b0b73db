const EMPTY = Buffer.alloc(0);

/** Bytes that arrive in pieces, taken in other pieces. */
export class ByteSource {
  #rest: Buffer = EMPTY;

  constructor(private readonly pieces: AsyncIterator<Buffer>) {}

  async #fill(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.pieces.next();
      if (done) return false;
      this.#rest = value;
    }
    return true;
  }

  /** At least one and at most `most` bytes of what is there next; null at the end. */
  async some(most: number): Promise<Buffer | null> {
    if (!(await this.#fill())) return null;
    const taken = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(taken.length);
    return taken;
  }

  /** The next `length` bytes, or as many as there are before the end. */
  async exactly(length: number): Promise<Buffer> {
    const first = (await this.some(length)) ?? EMPTY;
    if (first.length === length || first.length === 0) return first;
    const taken = [first];
    let missing = length - first.length;
    for (;;) {
      const piece = missing > 0 ? await this.some(missing) : null;
      if (piece === null) return Buffer.concat(taken);
      taken.push(piece);
      missing -= piece.length;
    }
  }

  /** Ends the pieces early. */
  async close(): Promise<void> {
    await this.pieces.return?.();
  }
}
