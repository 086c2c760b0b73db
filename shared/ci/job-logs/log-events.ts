/** Bytes at the end of a text that are the beginning of a character of UTF-8: 3 at most. */
function countUnfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    // What follows the first byte of a character.
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/**
 * Bytes of a log as an event of a stream: the text as JSON, with the position behind it as id. A character that is not
 * complete is left for the next event, unless nothing more comes.
 * @returns the event, empty where there is none, and the position behind it
 */
export function formatLogEvent(
  bytes: Uint8Array,
  position: number,
  isLast: boolean,
): { event: string; position: number } {
  const length = isLast ? bytes.length : bytes.length - countUnfinished(bytes);
  if (length === 0) return { event: '', position };
  const behind = position + length;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('utf8');
  return { event: `id: ${behind}\ndata: ${JSON.stringify(text)}\n\n`, position: behind };
}

/** The last event of a stream: the job is over, and this is how. */
export const formatEndEvent = (position: number, status: string): string =>
  `event: end\nid: ${position}\ndata: ${JSON.stringify(status)}\n\n`;
