import { isUtf8 } from 'node:buffer';
import { ArchiveRefused } from './archive-refused.js';

/** Bytes of the longest name of an entry (group-export-import.md section 5). */
const LONGEST_NAME = 255;

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
export function entryName(raw: string): string {
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
