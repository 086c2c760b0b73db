import { isUtf8 } from 'node:buffer';
import { ArchiveRefused } from './archive-refused.js';

/** Bytes of the largest extended header: more than any program writes for a name and times. */
export const LONGEST_EXTENDED_HEADER = 64 * 1024;

/** Bytes of a name in the plain header. */
const PLAIN_ROOM = 100;

/** What one may say. A size, a link or a sparse file in it makes two programs see two archives. */
const HARMLESS = new Set(['path', 'mtime', 'atime', 'ctime', 'uid', 'gid', 'uname', 'gname', 'comment', 'charset']);
/** Keys that programs add of their own: file attributes, which nothing here looks at. */
const HARMLESS_PREFIXES = ['SCHILY.', 'LIBARCHIVE.', 'hdrcharset'];
const NEVER = ['GNU.sparse.', 'SCHILY.realsize', 'SCHILY.filetype'];

const refuse = (what: string) => new ArchiveRefused(`The archive has an extended header ${what}.`);

function requireHarmless(key: string): void {
  const known = HARMLESS.has(key) || HARMLESS_PREFIXES.some((prefix) => key.startsWith(prefix));
  if (!known || NEVER.some((prefix) => key.startsWith(prefix)))
    throw refuse(`that sets ${JSON.stringify(key.slice(0, 40))}`);
}

/** One `LENGTH KEY=VALUE\n`, the length being that of all of it. */
function readRecord(body: Buffer, at: number): { key: string; value: string; next: number } {
  const space = body.indexOf(0x20, at);
  const digits = space > at && space - at <= 8 ? body.toString('latin1', at, space) : '';
  const next = /^\d+$/.test(digits) ? at + Number(digits) : 0;
  const record = body.subarray(space + 1, next - 1);
  const equals = record.indexOf(0x3d);
  if (next <= space + 1 || next > body.length || body[next - 1] !== 0x0a || equals < 1) throw refuse('that is damaged');
  const value = record.subarray(equals + 1);
  return { key: record.toString('latin1', 0, equals), value: value.toString(isUtf8(value) ? 'utf8' : 'latin1'), next };
}

/**
 * The name that a PAX header gives the next entry; null where it gives none.
 * @throws ArchiveRefused for what it may not say
 */
export function nameInPaxHeader(body: Buffer): string | null {
  let name: string | null = null;
  for (let at = 0; at < body.length;) {
    const { key, value, next } = readRecord(body, at);
    requireHarmless(key);
    if (key === 'path' && name !== null) throw refuse('that names an entry twice');
    if (key === 'path') name = value;
    at = next;
  }
  return name;
}

/**
 * A name from an extended header, as writers need it for what the plain header has no room for. One that it had room
 * for is there to show other programs another name.
 */
export function requireNeeded(name: string): string {
  const isAscii = Buffer.byteLength(name) === name.length;
  if (isAscii && name.length <= PLAIN_ROOM) throw refuse('with a name that needs none');
  return name;
}
