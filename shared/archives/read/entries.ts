import type { Readable } from 'node:stream';
import { Parser } from 'tar';
import type { ReadEntry } from 'tar';
import { ArchiveRejected } from './archive-rejected.js';
import type { ArchiveLocation } from './archive-rejected.js';
import { BLOCK, ByteSource, gunzip } from './gunzip.js';
import {
  contentSize,
  EntryNames,
  fieldText,
  headerName,
  requireHarmlessKind,
  LONGEST_EXTENDED_HEADER,
  nameInPaxHeader,
  requireNeeded,
} from './entry-rules.js';
import type { GunzipLimits } from './gunzip.js';

/** How many values a line, a file and an archive may have. */
interface ValueLimits {
  readonly line: number;
  readonly file: number;
  readonly archive: number;
}

/**
 * Maximum numbers of JSON values, so that processing an archive does not exceed memory and time. An issue of 10 MiB
 * with 20,000 comments has some 400,000.
 */
const MOST_VALUES: ValueLimits = { line: 500_000, file: 50_000_000, archive: 200_000_000 };
/** Elements of all arrays of a line at most: of each a row may be made. */
const MOST_ELEMENTS = 50_000;

const tooMany = (what: string, most: number, of: string, location: ArchiveLocation) =>
  new ArchiveRejected(`The archive has ${what} of more than ${most} ${of}.`, location);

/** Counts of the values in a line so far. */
interface LineCounts {
  /** Values of every kind, those in arrays and objects included. */
  readonly values: number;
  /** The number of them that are array elements. */
  readonly elements: number;
}

/** Counts the values of an archive, line by line and file by file. */
class ArchiveValues {
  #archive = 0;
  #file = 0;

  constructor(private readonly most = MOST_VALUES) {}

  /** The lines that follow are of another file. */
  beginFile(): void {
    this.#file = 0;
  }

  /** Judges a line as far as it is read. @throws ArchiveRejected */
  require({ values, elements }: LineCounts, location: ArchiveLocation): void {
    if (values > this.most.line) throw tooMany('a line', this.most.line, 'values', location);
    if (elements > MOST_ELEMENTS) throw tooMany('a line', MOST_ELEMENTS, 'elements', location);
    if (this.#file + values > this.most.file) throw tooMany('a file', this.most.file, 'values', location);
    if (this.#archive + values > this.most.archive)
      throw new ArchiveRejected(`The archive has more than ${this.most.archive} values.`, location);
  }

  /** Counts a line that is read to its end. */
  add({ values }: LineCounts): void {
    this.#file += values;
    this.#archive += values;
  }
}

/** A file of an archive. */
export interface IncomingEntry {
  /** Relative, without `./`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Counts the values of its lines, together with those of the whole archive. */
  readonly values: ArchiveValues;
  /** Its contents, readable once. The unread rest is skipped when the next entry is requested. */
  contents(): AsyncGenerator<Buffer>;
}

/** Entries of an archive at most (group-export-import.md section 5). */
const MOST_ENTRIES = 100_000;
/** Extended headers in a row: one of each kind is what programs write. */
const MOST_EXTENDED = 4;

const EXTENDED = new Set(['ExtendedHeader', 'GlobalExtendedHeader', 'NextFileHasLongPath']);

const CUT = 'The archive is cut off.';
const DAMAGED = 'The archive is not a tar file, or damaged.';
const isZero = (block: Buffer): boolean => block.every((byte) => byte === 0);

/** A file or folder entry of the archive. */
interface FileEntry {
  readonly entry: ReadEntry;
  readonly rawName: string;
  readonly folder: boolean;
}

/**
 * The entries of a tar file by the `tar` package's parser, which is handed a header, then the contents, then the next
 * header: so nothing waits in it, and each header can be judged by its bytes. Files alone are entries for it. Extended
 * headers it ignores like all else, whatever their size: what they may say is decided here.
 */
class TarEntries {
  #found: ReadEntry | null = null;
  #arrived: Buffer[] = [];
  readonly #parser = new Parser({
    strict: true,
    brotli: false,
    zstd: false,
    maxMetaEntrySize: -1,
    filter: (_name, entry) => 'type' in entry && entry.type === 'File',
  });

  constructor(private readonly bytes: ByteSource) {
    const found = (entry: ReadEntry) => (this.#found = entry);
    this.#parser.on('ignoredEntry', found);
    this.#parser.on('entry', (entry) => found(entry).on('data', (piece) => this.#arrived.push(piece)));
    this.#parser.on('error', (error: Error & { header?: { cksumValid: boolean } }) => {
      // Valid but forbidden kinds are rejected by `requireHarmlessKind`.
      if (!error.header?.cksumValid) throw new ArchiveRejected(DAMAGED, {}, { cause: error });
    });
  }

  /** The next entry and its header; null at the end marker, after which only zeros may follow. */
  async #next(): Promise<{ entry: ReadEntry; header: Buffer } | null> {
    const header = await this.bytes.exactly(BLOCK);
    if (header.length < BLOCK) throw new ArchiveRejected(CUT);
    if (header[0] === 0x1f && header[1] === 0x8b) throw new ArchiveRejected('The archive is compressed twice.');
    if (isZero(header)) {
      for (let rest = await this.bytes.some(BLOCK); rest !== null; rest = await this.bytes.some(BLOCK))
        if (!isZero(rest)) throw new ArchiveRejected('The archive has something behind its end.');
      return null;
    }
    this.#found = null;
    this.#parser.write(header);
    requireHarmlessKind(header);
    const entry = this.#found as ReadEntry | null;
    if (entry === null) throw new ArchiveRejected(DAMAGED);
    return { entry, header };
  }

  /** The next file or folder, with the name that extended headers before it give it; null at the end. */
  async nextEntry(): Promise<FileEntry | null> {
    let long: string | null = null;
    for (let extended = 0; ; extended += 1) {
      const next = await this.#next();
      if (next === null && extended > 0) throw new ArchiveRejected(CUT);
      if (next === null) return null;
      const { entry, header } = next;
      const name = headerName(header);
      const folder = entry.type === 'Directory' || name.endsWith('/');
      const size = contentSize(header, folder, name);
      if (!EXTENDED.has(entry.type)) return { entry, folder, rawName: long === null ? name : requireNeeded(long) };
      if (extended >= MOST_EXTENDED) throw new ArchiveRejected('The archive has too many extended headers in a row.');
      const extendedName = await this.#extendedName(entry, size);
      if (extendedName !== null && long !== null) throw new ArchiveRejected('The archive names an entry twice.');
      long ??= extendedName;
    }
  }

  async #extendedName(entry: ReadEntry, size: number): Promise<string | null> {
    if (size > LONGEST_EXTENDED_HEADER)
      throw new ArchiveRejected('The archive has an extended header that is too long.');
    const padded = await this.bytes.exactly(entry.startBlockSize);
    if (padded.length < entry.startBlockSize) throw new ArchiveRejected(CUT);
    this.#parser.write(padded);
    const body = padded.subarray(0, size);
    const name = entry.type === 'NextFileHasLongPath' ? fieldText(body) : nameInPaxHeader(body);
    if (name !== null && entry.type === 'GlobalExtendedHeader')
      throw new ArchiveRejected('The archive has one name for all its entries.');
    return name;
  }

  /** The rest of an entry, as it arrives. Also reads past the padding of its last block. */
  async *contents(entry: ReadEntry): AsyncGenerator<Buffer> {
    for (let left = entry.blockRemain; left > 0; left = entry.blockRemain) {
      const piece = await this.bytes.some(left);
      if (piece === null || piece.length % BLOCK !== 0) throw new ArchiveRejected(CUT);
      this.#parser.write(piece);
      yield* this.#arrived.splice(0);
    }
  }
}

/**
 * The files of a gzip-compressed tar archive as a stream, in archive order; nothing is written to disk. A violation
 * rejects the whole archive: links of both kinds, devices, FIFOs, sparse files, headers that override a size or a link,
 * names that are absolute, lead upwards, are longer than 255 bytes or contain NUL, line breaks or backslashes, two
 * entries with the same name, more than {@link MOST_ENTRIES}, more bytes than the limit, and archives that are
 * truncated, damaged, compressed twice or followed by anything (group-export-import.md section 5).
 * @param source the archive; always destroyed at the end
 * @throws ArchiveRejected, errors of the source, the signal's reason
 */
export async function* readEntries(
  source: Readable,
  limits: GunzipLimits & { readonly mostEntries?: number; readonly mostValues?: ValueLimits },
): AsyncGenerator<IncomingEntry> {
  const bytes = new ByteSource(gunzip(source, limits));
  const entries = new TarEntries(bytes);
  const names = new EntryNames(limits.mostEntries ?? MOST_ENTRIES);
  const values = new ArchiveValues(limits.mostValues);
  try {
    for (let next = await entries.nextEntry(); next !== null; next = await entries.nextEntry()) {
      const { entry, folder, rawName } = next;
      const name = names.add(rawName);
      if (!folder) yield { name, size: entry.size, values, contents: () => entries.contents(entry) };
      for await (const _piece of entries.contents(entry));
    }
  } finally {
    await bytes.close();
  }
}
