import { z } from 'zod';

/**
 * An id, or one of some words whatever their case, such as `None` and `Any`; else `assignee_id is invalid`.
 * @returns the id, or the word in lower case
 */
export function idOrWord<const W extends readonly Lowercase<string>[]>(words: W) {
  const isWord = (value: unknown): value is W[number] => (words as readonly unknown[]).includes(value);
  return z
    .preprocess(
      (value) => {
        const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
        return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;
      },
      z.custom<number | W[number]>(
        (value) => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) || isWord(value),
        'is invalid',
      ),
    )
    .meta({ type: ['integer', 'string'] });
}
