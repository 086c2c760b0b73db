/**
 * Collects pieces of any size into parts of one size; the last part may be smaller. There is one buffer: a part must be
 * processed before the next one is requested. Empty content has no parts.
 */
export async function* splitIntoParts(
  content: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array, undefined> {
  let part: Buffer = Buffer.allocUnsafe(Math.min(partBytes, 256 * 1024));
  let filled = 0;
  for await (const piece of content) {
    for (let at = 0; at < piece.length;) {
      const size = Math.min(piece.length - at, partBytes - filled);
      if (filled + size > part.length) part = grown(part, filled, partBytes);
      part.set(piece.subarray(at, at + size), filled);
      filled += size;
      at += size;
      if (filled < partBytes) continue;
      yield part;
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
  return undefined;
}

/**
 * Small objects use little memory; larger ones get a buffer for the whole part at once, so that no intermediate sizes
 * are allocated.
 */
function grown(part: Buffer, filled: number, most: number): Buffer {
  const larger = Buffer.allocUnsafe(most);
  part.copy(larger, 0, 0, filled);
  return larger;
}
