import type { Readable } from 'node:stream';
import { TarArchive } from 'archiver';

/** One file of an archive. Its name is made of fixed texts and ids alone. */
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
    // What the archive does not hear of itself.
    if (!Buffer.isBuffer(content)) content.once('error', done);
    archive.append(content, { name: `./${name}`, date: NO_TIME, mode: MODE, stats: { size: bytes } });
  });
}

/**
 * Packs files into a gzipped tar as it is read: one at a time, however large.
 * @throws what `files` throws
 */
export async function* packed(files: AsyncIterable<PackedFile>): AsyncGenerator<Uint8Array> {
  const archive = new TarArchive({ gzip: true, gzipOptions: { level: LEVEL } });
  // Told by whoever reads it; without a listener it would end the process.
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
