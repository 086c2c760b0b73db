import type { TakeOutput } from './run.js';

/** Takes a record; true ends the command. */
type TakeRecord = (record: Buffer) => boolean | void;

/**
 * Splits the output of git into records, each terminated by the byte `separator`. Of a record longer than `keep` bytes,
 * the first `keep + 1` are passed on, which indicates that there were more; the rest is never held.
 */
export function eachRecord(separator: number, keep: number, take: TakeRecord): TakeOutput {
  let held: Buffer[] = [];
  let size = 0;
  const hold = (part: Buffer): void => {
    const room = keep + 1 - size;
    if (room <= 0 || part.length === 0) return;
    held.push(part.subarray(0, room));
    size += Math.min(part.length, room);
  };
  const closed = (part: Buffer): Buffer => {
    if (size === 0) return part.subarray(0, keep + 1);
    hold(part);
    const record = Buffer.concat(held);
    held = [];
    size = 0;
    return record;
  };
  return (chunk) => {
    for (let start = 0; start < chunk.length;) {
      const end = chunk.indexOf(separator, start);
      if (end < 0) {
        hold(chunk.subarray(start));
        return false;
      }
      if (take(closed(chunk.subarray(start, end))) === true) return true;
      start = end + 1;
    }
    return false;
  };
}

const ELLIPSIS = '...';

/** Text of at most `limit` bytes (plus three dots if it was cut), cut between two characters. */
export function cutText(bytes: Buffer, limit: number): string {
  if (bytes.length <= limit) return bytes.toString('utf8');
  let end = limit;
  // Not within a character: its later bytes begin with the bits 10.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end) + ELLIPSIS;
}
