import { createRequire } from 'node:module';
import { LICENSE_IDS, OTHER } from './license-list.js';

const require = createRequire(import.meta.url);

/** Names of files that hold a licence, as people call them. */
const FILE = /^(un)?licen[sc]e([-_.].*)?$|^copying([-_.].*)?$|^ofl(\.txt|\.md)?$/i;

/** Which of the files in the root folder holds the licence: `LICENSE` before `COPYING`, plain text before others. */
export function licenseFile(names: readonly string[]): string | null {
  const rank = (name: string) => (/^copying/i.test(name) ? 2 : 0) + (/^[a-z]+(\.(txt|md))?$/i.test(name) ? 0 : 1);
  return names.filter((name) => FILE.test(name)).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0] ?? null;
}

interface Words {
  counts: Map<string, number>;
  total: number;
}

/** Who holds the copyright is no part of a text, nor are marks, quotes and line breaks. */
function wordsOf(text: string): Words {
  const kept = text.split('\n').filter((line) => !/^\W*(copyright|\(c\)|©|all rights reserved)/i.test(line));
  const counts = new Map<string, number>();
  const words =
    kept
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, total: words.length };
}

/** Share of words that two texts have in common, 0 to 1 (Dice). */
function likeness(one: Words, other: Words): number {
  let common = 0;
  for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0);
  return (2 * common) / Math.max(1, one.total + other.total);
}

let known: Map<string, Words> | null = null;

/** The words of every known text; read when the first licence is looked at. */
function knownTexts(): Map<string, Words> {
  known ??= new Map(
    [...LICENSE_IDS].map(([key, id]) => {
      const { licenseText } = require(`spdx-license-list/licenses/${id}.json`) as { licenseText: string };
      return [key, wordsOf(licenseText)];
    }),
  );
  return known;
}

/** Texts that are this much alike are the same licence: room for a name, a year and a line of one's own. */
const SAME = 0.95;

/** The key of the licence that a text is, `other` where it is none of the known ones. */
export function recogniseLicense(text: string): string {
  const given = wordsOf(text);
  let best = { key: OTHER.key, score: SAME };
  for (const [key, words] of knownTexts()) {
    // So unlike in length that they can't be the same.
    if (Math.abs(words.total - given.total) > 0.2 * Math.max(words.total, given.total)) continue;
    const score = likeness(given, words);
    if (score > best.score) best = { key, score };
  }
  return best.key;
}
