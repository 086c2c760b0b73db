import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** Bytes of one entry that are held in memory; larger ones wait on the disk. */
const IN_MEMORY = 1024 * 1024;

/**
 * Bytes of one entry of an archive, kept until their number is known: tar writes the size before the content. Beyond a
 * mebibyte they wait in a file that has no name any more, so that nothing of it is left of a process that was killed.
 */
export class Spool {
  #pieces: Buffer[] = [];
  #held = 0;
  #file: FileHandle | undefined;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** @throws an error of a full disk */
  async write(piece: Buffer): Promise<void> {
    this.#pieces.push(piece);
    this.#held += piece.length;
    this.#bytes += piece.length;
    if (this.#held > IN_MEMORY) await this.#spill();
  }

  async #spill(): Promise<void> {
    this.#file ??= await openNameless();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#held = 0;
    await this.#file.appendFile(Buffer.concat(pieces));
  }

  /** What was written: in memory where it is little. Read it once, before {@link close}. */
  async content(): Promise<Buffer | Readable> {
    if (!this.#file) return Buffer.concat(this.#pieces);
    await this.#spill();
    return this.#file.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 });
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
    this.#pieces = [];
  }
}

async function openNameless(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `archive-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await rm(name);
  return file;
}
