import { isUtf8 } from 'node:buffer';
import { ArchiveRejected } from './archive-rejected.js';

/** Bytes of the longest name of an entry (group-export-import.md section 5). */
const LONGEST_NAME = 255;

/** Allowed entry kinds: a file, a folder, or a header that applies to the next entry. */
const HARMLESS_KINDS = new Set(['\0', '0', '5', 'x', 'g', 'L']);

/** Kinds that are never followed or created. */
const FORBIDDEN_KINDS: Record<string, string> = {
  '1': 'a hard link',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a FIFO',
  S: 'a sparse file',
  K: 'a long link name',
};

/** A name as messages show it: no line breaks, and no longer than a line. */
export const quotedName = (name: string): string => JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);

const isControl = (code: number): boolean => code < 0x20 || code === 0x7f;

function getProblem(name: string): string | null {
  if (Buffer.byteLength(name) > LONGEST_NAME) return `longer than ${LONGEST_NAME} bytes`;
  if ([...name].some((sign) => isControl(sign.charCodeAt(0)))) return 'with a control character';
  if (name.includes('\\')) return 'with a backslash';
  if (name.startsWith('/')) return 'with an absolute path';
  return null;
}

/**
 * The name of an entry without the leading `./` and a folder's trailing slash; empty for the archive's own folder.
 * @throws ArchiveRejected for what leads out of the archive, or could mean two things
 */
function entryName(raw: string): string {
  const rejection = (why: string) => new ArchiveRejected(`The archive has an entry ${why}: ${quotedName(raw)}.`);
  const problem = getProblem(raw);
  if (problem !== null) throw rejection(problem);
  const parts = raw.replace(/\/$/, '').split('/');
  if (parts[0] === '.') parts.shift();
  if (parts.includes('..')) throw rejection('with ".." in its path');
  if (parts.some((part) => part === '' || part === '.')) throw rejection('with an unusual path');
  return parts.join('/');
}

/** The text of a field of a header, which zeros fill up behind it. @throws ArchiveRejected where more follows */
export function fieldText(field: Buffer): string {
  const end = field.indexOf(0);
  const text = end < 0 ? field : field.subarray(0, end);
  if (end >= 0 && field.subarray(end).some((byte) => byte !== 0))
    throw new ArchiveRejected('The archive has an entry with a NUL in its name.');
  return isUtf8(text) ? text.toString('utf8') : text.toString('latin1');
}

/** The name in a plain header. @throws ArchiveRejected if data follows its terminator */
export function headerName(header: Buffer): string {
  // In GNU's own format, the bytes after the magic are at the position where other formats have the name prefix.
  const isPosix = header.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isPosix ? fieldText(header.subarray(345, 500)) : '';
  const last = fieldText(header.subarray(0, 100));
  return prefix === '' ? last : `${prefix}/${last}`;
}

/** Requires that a header is no link, device, FIFO, sparse file or anything unknown. @throws ArchiveRejected */
export function requireHarmlessKind(header: Buffer): void {
  const kind = String.fromCharCode(header[156] as number);
  const rejection = (what: string) =>
    new ArchiveRejected(`The archive has ${what}: ${quotedName(headerName(header))}.`);
  if (!HARMLESS_KINDS.has(kind)) throw rejection(FORBIDDEN_KINDS[kind] ?? 'an entry of unknown kind');
  if (header[157] !== 0) throw rejection('a link');
}

/**
 * The bytes of an entry's contents by its header: a folder has none, and nothing is larger than the octal digits hold.
 * @throws ArchiveRejected
 */
export function contentSize(header: Buffer, folder: boolean, name: string): number {
  const field = header.toString('latin1', 124, 136);
  const size = /^ *[0-7]+[ \0]*$/.test(field) ? Number.parseInt(field.trim(), 8) : Number.NaN;
  if (!Number.isSafeInteger(size) || (folder && size !== 0))
    throw new ArchiveRejected(`The archive has an entry of an impossible size: ${quotedName(name)}.`);
  return size;
}

/** The names of an archive so far: no two entries have one. */
export class EntryNames {
  readonly #names = new Set<string>();

  constructor(private readonly most: number) {}

  /** The name of the next entry, normalised. @throws ArchiveRejected */
  add(raw: string): string {
    const name = entryName(raw);
    if (this.#names.has(name))
      throw new ArchiveRejected(`The archive has two entries of one name: ${quotedName(name)}.`);
    if (this.#names.size >= this.most) throw new ArchiveRejected(`The archive has more than ${this.most} entries.`);
    this.#names.add(name);
    return name;
  }
}

/** Bytes of the largest extended header: more than any program writes for a name and times. */
export const LONGEST_EXTENDED_HEADER = 64 * 1024;

/** Bytes of a name in the plain header. */
const PLAIN_ROOM = 100;

/** What one may say. A size, a link or a sparse file in it makes two programs see two archives. */
const HARMLESS = new Set(['path', 'mtime', 'atime', 'ctime', 'uid', 'gid', 'uname', 'gname', 'comment', 'charset']);
/** Keys that programs add of their own: file attributes, which nothing here looks at. */
const HARMLESS_PREFIXES = ['SCHILY.', 'LIBARCHIVE.', 'hdrcharset'];
const NEVER = ['GNU.sparse.', 'SCHILY.realsize', 'SCHILY.filetype'];

const rejection = (what: string) => new ArchiveRejected(`The archive has an extended header ${what}.`);

function requireHarmless(key: string): void {
  const isHarmless = HARMLESS.has(key) || HARMLESS_PREFIXES.some((prefix) => key.startsWith(prefix));
  if (!isHarmless || NEVER.some((prefix) => key.startsWith(prefix)))
    throw rejection(`that sets ${JSON.stringify(key.slice(0, 40))}`);
}

/** One `LENGTH KEY=VALUE\n` record; the length includes itself. */
function readRecord(body: Buffer, at: number): { key: string; value: string; next: number } {
  const space = body.indexOf(0x20, at);
  const digits = space > at && space - at <= 8 ? body.toString('latin1', at, space) : '';
  const next = /^\d+$/.test(digits) ? at + Number(digits) : 0;
  const record = body.subarray(space + 1, next - 1);
  const equals = record.indexOf(0x3d);
  if (next <= space + 1 || next > body.length || body[next - 1] !== 0x0a || equals < 1)
    throw rejection('that is damaged');
  const value = record.subarray(equals + 1);
  return { key: record.toString('latin1', 0, equals), value: value.toString(isUtf8(value) ? 'utf8' : 'latin1'), next };
}

/**
 * The name that a PAX header sets for the next entry; null if it sets none.
 * @throws ArchiveRejected for forbidden keys
 */
export function nameInPaxHeader(body: Buffer): string | null {
  let name: string | null = null;
  for (let at = 0; at < body.length;) {
    const { key, value, next } = readRecord(body, at);
    requireHarmless(key);
    if (key === 'path' && name !== null) throw rejection('that names an entry twice');
    if (key === 'path') name = value;
    at = next;
  }
  return name;
}

/**
 * A name from an extended header, which writers use if the plain header is too short for it. A name that would fit
 * could only serve to show other programs a different name.
 */
export function requireNeeded(name: string): string {
  const isAscii = Buffer.byteLength(name) === name.length;
  if (isAscii && name.length <= PLAIN_ROOM) throw rejection('with a name that needs none');
  return name;
}
