/** Below this length the engine's own search cannot take noticeable time. */
const SHORT = 64;
const MAX_INPUT = 64 * 1_024;

/**
 * Whether `part` occurs in the first 64 KiB of `text`. Takes time in proportion to the lengths (Knuth, Morris, Pratt);
 * the engine's own search may take the product of them.
 */
export function containsText(text: string, part: string): boolean {
  const input = text.slice(0, MAX_INPUT);
  if (part.length > input.length) return false;
  if (part.length <= SHORT) return input.includes(part);
  const borders = measureBorders(part);
  let length = 0;
  for (let at = 0; at < input.length; at += 1) {
    while (length > 0 && input.charCodeAt(at) !== part.charCodeAt(length)) length = borders[length - 1]!;
    if (input.charCodeAt(at) === part.charCodeAt(length)) length += 1;
    if (length === part.length) return true;
  }
  return false;
}

/** For each prefix the length of its longest proper prefix that is its suffix as well. */
function measureBorders(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (length > 0 && part.charCodeAt(at) !== part.charCodeAt(length)) length = borders[length - 1]!;
    if (part.charCodeAt(at) === part.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return borders;
}
