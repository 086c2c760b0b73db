import type { Readable } from 'node:stream';
import { ArchiveRefused } from './archive-refused.js';
import { ByteSource } from './byte-source.js';
import { BLOCK, EntryNames, readHeader } from './entry-header.js';
import type { EntryHeader } from './entry-header.js';
import { fieldText } from './entry-names.js';
import { LONGEST_EXTENDED_HEADER, nameInPaxHeader, requireNeeded } from './extended-header.js';
import { gunzip } from './gunzip.js';
import type { GunzipLimits } from './gunzip.js';
import { ArchiveValues } from './value-limits.js';
import type { ValueLimits } from './value-limits.js';

/** A file of an archive. */
export interface IncomingEntry {
  /** Relative, without `./`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Counts what its lines hold, together with those of the whole archive. */
  readonly values: ArchiveValues;
  /** Its contents, once. What is left of them when the next entry is asked for is passed over. */
  contents(): AsyncGenerator<Buffer>;
}

/** Entries of an archive at most (group-export-import.md section 5). */
const MOST_ENTRIES = 100_000;
/** Extended headers in a row: one of each kind is what programs write. */
const MOST_EXTENDED = 4;

const CUT = 'The archive is cut off.';
const isZero = (block: Buffer): boolean => block.every((byte) => byte === 0);

/** The contents of one entry, read from where the archive stands. */
class Contents {
  #left: number;

  constructor(
    private readonly bytes: ByteSource,
    private readonly size: number,
  ) {
    this.#left = size;
  }

  async *read(): AsyncGenerator<Buffer> {
    while (this.#left > 0) {
      const piece = await this.bytes.some(this.#left);
      if (piece === null) throw new ArchiveRefused(CUT);
      this.#left -= piece.length;
      yield piece;
    }
  }

  /** Passes over what is left, and over what fills up the last block. */
  async skip(): Promise<void> {
    for await (const _piece of this.read());
    await skipPadding(this.bytes, this.size);
  }
}

async function skipPadding(bytes: ByteSource, size: number): Promise<void> {
  const padding = (BLOCK - (size % BLOCK)) % BLOCK;
  if ((await bytes.exactly(padding)).length < padding) throw new ArchiveRefused(CUT);
}

/** The next header; null at the mark of the end, behind which only zeros may stand. */
async function nextHeader(bytes: ByteSource): Promise<EntryHeader | null> {
  const block = await bytes.exactly(BLOCK);
  if (block.length < BLOCK) throw new ArchiveRefused(CUT);
  if (block[0] === 0x1f && block[1] === 0x8b) throw new ArchiveRefused('The archive is compressed twice.');
  if (!isZero(block)) return readHeader(block);
  for (let rest = await bytes.some(BLOCK); rest !== null; rest = await bytes.some(BLOCK))
    if (!isZero(rest)) throw new ArchiveRefused('The archive has something behind its end.');
  return null;
}

async function extendedName(bytes: ByteSource, { kind, size }: EntryHeader): Promise<string | null> {
  if (size > LONGEST_EXTENDED_HEADER) throw new ArchiveRefused('The archive has an extended header that is too long.');
  const body = await bytes.exactly(size);
  if (body.length < size) throw new ArchiveRefused(CUT);
  await skipPadding(bytes, size);
  const name = kind === 'long-name' ? fieldText(body) : nameInPaxHeader(body);
  if (name !== null && kind === 'global-pax') throw new ArchiveRefused('The archive has one name for all its entries.');
  return name;
}

/** The next file or folder, with the name that extended headers before it give it; null at the end. */
async function nextNamed(bytes: ByteSource): Promise<EntryHeader | null> {
  let long: string | null = null;
  for (let extended = 0; ; extended += 1) {
    const header = await nextHeader(bytes);
    if (header === null && extended > 0) throw new ArchiveRefused(CUT);
    if (header === null) return null;
    if (header.kind === 'file' || header.kind === 'folder')
      return long === null ? header : { ...header, rawName: requireNeeded(long) };
    if (extended >= MOST_EXTENDED) throw new ArchiveRefused('The archive has too many extended headers in a row.');
    const name = await extendedName(bytes, header);
    if (name !== null && long !== null) throw new ArchiveRefused('The archive names an entry twice.');
    long ??= name;
  }
}

/**
 * The files of a gzip-compressed tar archive as a stream, in the order that they stand in; nothing touches the disk.
 * What is refused is refused for the whole archive: links of both kinds, devices, FIFOs, sparse files, headers that
 * override a size or a link, names that are absolute, lead upwards, are longer than 255 bytes or hold NUL, line breaks
 * or backslashes, two entries of one name, more than {@link MOST_ENTRIES}, more bytes than the limit, and what is cut,
 * damaged, compressed twice or followed by anything (group-export-import.md section 5).
 * @param source the archive; destroyed at the end, however that comes about
 * @throws ArchiveRefused, what the source throws, the signal's reason
 */
export async function* readEntries(
  source: Readable,
  limits: GunzipLimits & { readonly mostEntries?: number; readonly mostValues?: ValueLimits },
): AsyncGenerator<IncomingEntry> {
  const bytes = new ByteSource(gunzip(source, limits));
  const names = new EntryNames();
  const values = new ArchiveValues(limits.mostValues);
  try {
    for (let header = await nextNamed(bytes); header !== null; header = await nextNamed(bytes)) {
      const name = names.add(header.rawName, limits.mostEntries ?? MOST_ENTRIES);
      const contents = new Contents(bytes, header.size);
      if (header.kind === 'file') yield { name, size: header.size, values, contents: () => contents.read() };
      await contents.skip();
    }
  } finally {
    await bytes.close();
  }
}
