import { createHash, timingSafeEqual } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { pipeline, Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Keys } from '../../core/values/secrets.js';
import type { PackedFile } from '../contents/pack.js';
import { ORIGIN_FILE } from '../format/layout.js';
import type { IncomingEntry } from './entries.js';

/** Bytes of a file that is to show where an archive comes from, at most: it holds one code. */
const LONGEST_CODE = 100;

/** The contents of an archive: the name and digest of each of its files, in any order. */
class Manifest {
  readonly #lines: string[] = [];

  add(name: string, hash: Hash): void {
    this.#lines.push(`${hash.digest('hex')} ${name}\n`);
  }

  /** The code that only an instance with these keys can make of the files. */
  code(keys: Keys): string {
    return keys.archiveCode([...this.#lines].sort().join('')).toString('base64');
  }
}

function hashContent(content: Readable, hash: Hash): Readable {
  const through = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      done(null, piece);
    },
  });
  // The reader of the output receives the error.
  pipeline(content, through, () => {});
  return through;
}

/** The files of an archive, followed by one that proves to this instance, and reveals nothing to others, that it wrote all of them. */
export async function* withOrigin(files: AsyncIterable<PackedFile>, keys: Keys): AsyncGenerator<PackedFile> {
  const manifest = new Manifest();
  for await (const file of files) {
    const hash = createHash('sha256');
    const { content } = file;
    if (Buffer.isBuffer(content)) hash.update(content);
    yield Buffer.isBuffer(content) ? file : { ...file, content: hashContent(content, hash) };
    manifest.add(file.name, hash);
  }
  const content = Buffer.from(manifest.code(keys));
  yield { name: ORIGIN_FILE, bytes: content.length, content };
}

/**
 * Determines while an archive is read whether this same instance wrote it. The whole archive is checked: moving one of
 * its files into another archive, or changing, adding or removing one, invalidates the origin.
 */
export class OriginCheck {
  readonly #manifest = new Manifest();
  #code: string | null = null;

  /** Passes entries on; what their reader leaves of them is read as well. */
  async *entries(entries: AsyncIterable<IncomingEntry>): AsyncGenerator<IncomingEntry> {
    for await (const entry of entries) {
      if (entry.name === ORIGIN_FILE) {
        await this.#readCode(entry);
        continue;
      }
      const hash = createHash('sha256');
      async function* contents(): AsyncGenerator<Buffer> {
        for await (const piece of entry.contents()) {
          hash.update(piece);
          yield piece;
        }
      }
      yield { ...entry, contents };
      for await (const _piece of contents());
      this.#manifest.add(entry.name, hash);
    }
  }

  async #readCode({ size, contents }: IncomingEntry): Promise<void> {
    if (size > LONGEST_CODE) return;
    const pieces: Buffer[] = [];
    for await (const piece of contents()) pieces.push(piece);
    this.#code = Buffer.concat(pieces).toString('latin1').trim();
  }

  /** Whether an instance with these keys wrote the archive, once all of it was read. */
  isFrom(keys: Keys): boolean {
    const expected = Buffer.from(this.#manifest.code(keys));
    const actual = Buffer.from(this.#code ?? '');
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  }
}
