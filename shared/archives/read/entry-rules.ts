import { isUtf8 } from 'node:buffer';
import { ArchiveRefused } from './archive-refused.js';

/** Bytes of the longest name of an entry (group-export-import.md section 5). */
const LONGEST_NAME = 255;

/** What an entry may be: a file, a folder, or a header that goes on with the next one. */
const HARMLESS_KINDS = new Set(['\0', '0', '5', 'x', 'g', 'L']);

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

/** A name as messages show it: no line breaks, and no longer than a line. */
export const shownName = (name: string): string => JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);

const isControl = (code: number): boolean => code < 0x20 || code === 0x7f;

function problemOf(name: string): string | null {
  if (Buffer.byteLength(name) > LONGEST_NAME) return `longer than ${LONGEST_NAME} bytes`;
  if ([...name].some((sign) => isControl(sign.charCodeAt(0)))) return 'with a control character';
  if (name.includes('\\')) return 'with a backslash';
  if (name.startsWith('/')) return 'with an absolute path';
  return null;
}

/**
 * The name of an entry without the leading `./` and a folder's trailing slash; empty for the archive's own folder.
 * @throws ArchiveRefused for what leads out of the archive, or could mean two things
 */
function entryName(raw: string): string {
  const refuse = (why: string) => new ArchiveRefused(`The archive has an entry ${why}: ${shownName(raw)}.`);
  const problem = problemOf(raw);
  if (problem !== null) throw refuse(problem);
  const parts = raw.replace(/\/$/, '').split('/');
  if (parts[0] === '.') parts.shift();
  if (parts.includes('..')) throw refuse('with ".." in its path');
  if (parts.some((part) => part === '' || part === '.')) throw refuse('with an unusual path');
  return parts.join('/');
}

/** The text of a field of a header, which zeros fill up behind it. @throws ArchiveRefused where more follows */
export function fieldText(field: Buffer): string {
  const end = field.indexOf(0);
  const text = end < 0 ? field : field.subarray(0, end);
  if (end >= 0 && field.subarray(end).some((byte) => byte !== 0))
    throw new ArchiveRefused('The archive has an entry with a NUL in its name.');
  return isUtf8(text) ? text.toString('utf8') : text.toString('latin1');
}

/** The name in a plain header. @throws ArchiveRefused where more stands behind its end */
export function headerName(header: Buffer): string {
  // What follows the magic of GNU's own format stands where other programs have the beginning of the name.
  const isPosix = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isPosix ? fieldText(header.subarray(345, 500)) : '';
  const last = fieldText(header.subarray(0, 100));
  return prefix === '' ? last : `${prefix}/${last}`;
}

/** Requires that a header is no link, device, FIFO, sparse file or anything unknown. @throws ArchiveRefused */
export function requireHarmlessKind(header: Buffer): void {
  const kind = String.fromCharCode(header[156] as number);
  const refuse = (what: string) => new ArchiveRefused(`The archive has ${what}: ${shownName(headerName(header))}.`);
  if (!HARMLESS_KINDS.has(kind)) throw refuse(REFUSED[kind] ?? 'an entry of unknown kind');
  if (header[157] !== 0) throw refuse('a link');
}

/**
 * The bytes of an entry's contents by its header: a folder has none, and nothing is larger than the octal digits hold.
 * @throws ArchiveRefused
 */
export function contentSize(header: Buffer, folder: boolean, name: string): number {
  const field = header.toString('latin1', 124, 136);
  const size = /^ *[0-7]+[ \0]*$/.test(field) ? Number.parseInt(field.trim(), 8) : Number.NaN;
  if (!Number.isSafeInteger(size) || (folder && size !== 0))
    throw new ArchiveRefused(`The archive has an entry of an impossible size: ${shownName(name)}.`);
  return size;
}

/** The names of an archive so far: no two entries have one. */
export class EntryNames {
  readonly #seen = new Set<string>();

  constructor(private readonly most: number) {}

  /** The name of the next entry, normalised. @throws ArchiveRefused */
  add(raw: string): string {
    const name = entryName(raw);
    if (this.#seen.has(name)) throw new ArchiveRefused(`The archive has two entries of one name: ${shownName(name)}.`);
    if (this.#seen.size >= this.most) throw new ArchiveRefused(`The archive has more than ${this.most} entries.`);
    this.#seen.add(name);
    return name;
  }
}
