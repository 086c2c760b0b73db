import { gzipSync } from 'node:zlib';

/** An entry of an archive, byte by byte: valid values are filled in by default, and all can be overridden. */
export interface RawEntry {
  name: string | Buffer;
  body?: string | Buffer;
  /** The type flag. */
  type?: string;
  /** The size in the header. */
  size?: number | string;
  link?: string;
  /** The first bytes of names that are longer. */
  prefix?: string;
}

const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`;

function getHeader({ name, body = '', type = '0', size, link = '', prefix = '' }: RawEntry): Buffer {
  const block = Buffer.alloc(512);
  Buffer.from(name).copy(block, 0, 0, 100);
  block.write(octal(0o644, 8), 100, 'latin1');
  block.write(octal(0, 8), 108, 'latin1');
  block.write(octal(0, 8), 116, 'latin1');
  block.write(typeof size === 'string' ? size : octal(size ?? Buffer.byteLength(body), 12), 124, 'latin1');
  block.write(octal(1_700_000_000, 12), 136, 'latin1');
  block.write(type, 156, 'latin1');
  block.write(link, 157, 'utf8');
  block.write('ustar\u000000', 257, 'latin1');
  block.write(prefix, 345, 'utf8');
  block.write('        ', 148, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** A record of a PAX header. */
export function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = Buffer.byteLength(rest);
  const digits = String(length + String(length).length).length;
  return `${length + digits}${rest}`;
}

/** An entry: header, contents, zeros up to the next block. */
export function tarEntry(entry: RawEntry): Buffer {
  const body = Buffer.from(entry.body ?? '');
  return Buffer.concat([getHeader(entry), body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

export const TAR_END = Buffer.alloc(1024);

/** A tar file of some entries. */
export const getTar = (entries: readonly RawEntry[], end: Buffer = TAR_END): Buffer =>
  Buffer.concat([...entries.map(tarEntry), end]);

/** A gzip-compressed tar file of some entries. */
export const getArchive = (entries: readonly RawEntry[]): Buffer => gzipSync(getTar(entries));
