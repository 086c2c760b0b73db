import type { Readable } from 'node:stream';
import { TarArchive } from 'archiver';
import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** One file of an archive. Its name consists of fixed texts and ids only. */
export interface PackedFile {
  /** Without the leading `./`. */
  readonly name: string;
  readonly bytes: number;
  readonly content: Buffer | Readable;
}

/** Of every entry: two archives of the same content are the same bytes. */
const NO_TIME = new Date(0);
const MODE = 0o644;
/** Of gzip: half of the usual level's time, for a tenth more bytes. */
const LEVEL = 4;

/** Appends one file, and waits until it is read. */
function append(archive: TarArchive, { name, bytes, content }: PackedFile): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: unknown) => {
      archive.off('entry', done_).off('error', done).off('close', cut);
      if (error === undefined) resolve();
      else reject(error as Error);
    };
    const done_ = () => done();
    const cut = () => done(new Error('The archive was cut off.'));
    archive.on('entry', done_).on('error', done).on('close', cut);
    // The archive does not handle errors of this stream itself.
    if (!Buffer.isBuffer(content)) content.once('error', done);
    archive.append(content, { name: `./${name}`, date: NO_TIME, mode: MODE, stats: { size: bytes } });
  });
}

/**
 * Packs files into a gzipped tar as it is read: one at a time, however large.
 * @throws what `files` throws
 */
export async function* packFiles(files: AsyncIterable<PackedFile>): AsyncGenerator<Uint8Array> {
  const archive = new TarArchive({ gzip: true, gzipOptions: { level: LEVEL } });
  // Its reader throws it; without a listener it would end the process.
  archive.on('error', () => {});
  const feed = async () => {
    try {
      for await (const file of files) await append(archive, file);
      await archive.finalize();
    } catch (error) {
      archive.destroy(error as Error);
    }
  };
  const feeding = feed();
  try {
    yield* archive as AsyncIterable<Uint8Array>;
  } finally {
    archive.destroy();
    await feeding;
  }
}

/** Bytes of one entry that are held in memory; larger ones wait on the disk. */
const IN_MEMORY = 1024 * 1024;

/**
 * The bytes of one archive entry, buffered until their number is known: tar writes the size before the content. Beyond
 * one mebibyte they are buffered in an unlinked file, so that nothing is left behind if the process is killed.
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

  /** The written bytes: small content as a buffer. Read it once, before {@link close}. */
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
