import { NotGitProtocol } from '../errors.js';
import type { ByteReader } from './byte-reader.js';

/** Most bytes of a line, its own length included. */
const LONGEST_LINE = 65_520;
const LENGTH_BYTES = 4;

/** Ends a list of lines. */
export const FLUSH = Buffer.from('0000');

/**
 * Reads the next line of git's protocol, without its length and its line end; `flush` ends a list of lines, null is the
 * end of the stream.
 * @throws NotGitProtocol for an invalid line, and errors of the stream
 */
export async function readPktLine(reader: ByteReader): Promise<Buffer | 'flush' | null> {
  if (!(await reader.has(LENGTH_BYTES))) {
    if (reader.held.length > 0) throw new NotGitProtocol('the request ends within a line');
    return null;
  }
  const digits = reader.take(LENGTH_BYTES).toString('latin1');
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw new NotGitProtocol('no line of the protocol');
  const length = parseInt(digits, 16);
  if (length === 0) return 'flush';
  if (length < LENGTH_BYTES || length > LONGEST_LINE) throw new NotGitProtocol('no line of the protocol');
  if (!(await reader.has(length - LENGTH_BYTES))) throw new NotGitProtocol('the request ends within a line');
  const line = reader.take(length - LENGTH_BYTES);
  return line.at(-1) === 0x0a ? line.subarray(0, -1) : line;
}

/** A line of git's protocol. */
export function pktLine(content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const length = (bytes.length + LENGTH_BYTES).toString(16).padStart(LENGTH_BYTES, '0');
  return Buffer.concat([Buffer.from(length), bytes]);
}
