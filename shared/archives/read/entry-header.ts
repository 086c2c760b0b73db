import { Header } from 'tar';
import { ArchiveRefused } from './archive-refused.js';
import { entryName, fieldText, shownName } from './entry-names.js';

/** Bytes of a header, and what contents are filled up to. */
export const BLOCK = 512;

type EntryKind = 'file' | 'folder' | 'pax' | 'global-pax' | 'long-name';

export interface EntryHeader {
  kind: EntryKind;
  /** As it stands there. */
  rawName: string;
  /** Bytes of its contents. */
  size: number;
}

const KINDS: Record<string, EntryKind> = {
  '\0': 'file',
  '0': 'file',
  '5': 'folder',
  x: 'pax',
  g: 'global-pax',
  L: 'long-name',
};

/** What is never followed or made. */
const REFUSED: Record<string, string> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a FIFO',
  S: 'a sparse file',
  K: 'a long link name',
};

const isOctal = (field: Buffer): boolean => /^ *[0-7]+[ \0]*$/.test(field.toString('latin1'));

/** The bytes of contents. A folder has none; nothing is larger than what the octal digits of the field hold. */
function sizeOf(block: Buffer, kind: EntryKind, name: string): number {
  const field = block.subarray(124, 136);
  const size = isOctal(field) ? Number.parseInt(field.toString('latin1').trim(), 8) : Number.NaN;
  if (!Number.isSafeInteger(size) || (kind === 'folder' && size !== 0))
    throw new ArchiveRefused(`The archive has an entry of an impossible size: ${shownName(name)}.`);
  return size;
}

/**
 * Reads a header.
 * @throws ArchiveRefused for links, devices, FIFOs, sparse files, and anything but a tar archive
 */
export function readHeader(block: Buffer): EntryHeader {
  const { cksumValid } = new Header(block, 0);
  if (!cksumValid) throw new ArchiveRefused('The archive is not a tar file, or damaged.');
  const type = String.fromCharCode(block[156] as number);
  const isUstar = block.toString('latin1', 257, 262) === 'ustar';
  // What follows the magic of GNU's own format stands where other programs have the beginning of the name.
  const isPosix = isUstar && block[262] === 0;
  const prefix = isPosix ? fieldText(block.subarray(345, 500)) : '';
  const last = fieldText(block.subarray(0, 100));
  const rawName = prefix === '' ? last : `${prefix}/${last}`;
  const kind = KINDS[type];
  if (kind === undefined)
    throw new ArchiveRefused(`The archive has ${REFUSED[type] ?? 'an entry of unknown kind'}: ${shownName(rawName)}.`);
  if (block[157] !== 0) throw new ArchiveRefused(`The archive has a link: ${shownName(rawName)}.`);
  const asFolder = kind === 'file' && rawName.endsWith('/') ? 'folder' : kind;
  return { kind: asFolder, rawName, size: sizeOf(block, asFolder, rawName) };
}

/** The names of an archive so far: no two entries have one. */
export class EntryNames {
  readonly #seen = new Set<string>();

  /** The name of the next entry, normalised. @throws ArchiveRefused */
  add(raw: string, mostEntries: number): string {
    const name = entryName(raw);
    if (this.#seen.has(name)) throw new ArchiveRefused(`The archive has two entries of one name: ${shownName(name)}.`);
    if (this.#seen.size >= mostEntries) throw new ArchiveRefused(`The archive has more than ${mostEntries} entries.`);
    this.#seen.add(name);
    return name;
  }
}
