import type { AnswerBytes } from '../../shared/core/bytes/answer-bytes.js';

/** Records that become text at once: few enough to stop in time, many enough that it takes no longer than all at once. */
const AT_ONCE = 10;
/** Bytes that one unit of a text may be in UTF-8. */
const BYTES_OF_UNIT = 3;

/**
 * Counts the UTF-8 bytes of a text beyond its UTF-16 code units, if they might exceed the limit. @throws AnswerTooLarge
 */
function countBytes(answer: AnswerBytes | undefined, text: string): string {
  if (answer && text.length * BYTES_OF_UNIT > answer.limit) answer.takeText(0, Buffer.byteLength(text));
  return text;
}

/** Counts a text that is JSON already. @throws AnswerTooLarge, Overloaded */
export function readyText(answer: AnswerBytes | undefined, text: string): string {
  answer?.takeText(text.length, text.length);
  return countBytes(answer, text);
}

/** A value as JSON. @throws AnswerTooLarge, Overloaded */
export const jsonText = (answer: AnswerBytes | undefined, value: unknown): string =>
  readyText(answer, JSON.stringify(value ?? null));

/**
 * Serializes a list as JSON, a few records at a time, and stops as soon as it is too large.
 * @param present serializes a record; by default the record itself
 * @throws AnswerTooLarge, Overloaded
 */
export function jsonListText<T>(
  answer: AnswerBytes | undefined,
  records: readonly T[],
  present?: (record: T) => unknown,
): string {
  const pieces: string[] = [];
  let total = 2;
  for (let from = 0; from < records.length; from += AT_ONCE) {
    const some = records.slice(from, from + AT_ONCE);
    const piece = JSON.stringify(present ? some.map(present) : some).slice(1, -1);
    total += piece.length + 1;
    answer?.takeText(piece.length, total);
    pieces.push(piece);
  }
  return countBytes(answer, `[${pieces.join(',')}]`);
}
