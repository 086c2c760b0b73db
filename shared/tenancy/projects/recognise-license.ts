import { createRequire } from 'node:module';
import { LICENSE_IDS, OTHER } from './license-list.js';

const require = createRequire(import.meta.url);

/** Names of files that hold a licence, as people call them: `LICENSE`, `MIT-LICENSE.txt`, `COPYING.LESSER`. */
const FILE = /^(?:[a-z0-9.+]+[-_])?(?:un)?licen[sc]es?(?:[-_.].*)?$|^copying(?:[-_.].*)?$|^ofl(?:\.(?:txt|md))?$/i;
/** Programs, data and pictures may be about a licence; they are none. */
const NO_TEXT =
  /\.(py|rb|[cm]?[jt]sx?|go|rs|java|kt|c|cc|cpp|h|hpp|cs|php|pl|sh|ps1|swift|scala|lua|sql|json|ya?ml|toml|xml|css|scss|svg|png|jpe?g|gif|ico|pdf|docx?|zip|gz|lock|vue|erb|tmpl)$/i;

/**
 * `COPYING.LESSER` first, because it modifies the `COPYING` next to it; `LICENSE` before `COPYING`, plain text first.
 */
function rank(name: string): number {
  if (/\.lesser$/i.test(name)) return -1;
  return (/^copying/i.test(name) ? 2 : 0) + (/^[a-z]+(\.(txt|md))?$/i.test(name) ? 0 : 1);
}

/** Which of the files in the root folder holds the licence. */
export function licenseFile(names: readonly string[]): string | null {
  const found = names.filter((name) => FILE.test(name) && !NO_TEXT.test(name));
  return found.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))[0] ?? null;
}

interface TermCounts {
  counts: Map<string, number>;
  total: number;
}

/** Who holds the copyright is no part of a text, nor are marks, quotes and line breaks. */
function countTerms(text: string): TermCounts {
  const lines = text.split('\n').filter((line) => !/^\W*(copyright|\(c\)|©|all rights reserved)/i.test(line));
  const counts = new Map<string, number>();
  const terms =
    lines
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const word of terms) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, total: terms.length };
}

/** Share of words that two texts have in common, 0 to 1 (Dice coefficient). */
function likeness(one: TermCounts, other: TermCounts): number {
  let common = 0;
  for (const [word, count] of one.counts) common += Math.min(count, other.counts.get(word) ?? 0);
  return (2 * common) / Math.max(1, one.total + other.total);
}

/** Where the terms end, in texts that go on with how to apply them: many leave that out. */
const END_OF_TERMS = /end of terms and conditions/i;

/** A text, and the text without its appendix on how to apply the license. */
function spellings(text: string): string[] {
  const end = END_OF_TERMS.exec(text);
  return end ? [text, text.slice(0, end.index + end[0].length)] : [text];
}

let cachedTexts: [key: string, counts: TermCounts][] | null = null;

/** Word counts of all known texts; loaded when the first license is checked. */
function licenseTexts(): [key: string, counts: TermCounts][] {
  cachedTexts ??= [...LICENSE_IDS].flatMap(([key, id]) => {
    const { licenseText } = require(`spdx-license-list/licenses/${id}.json`) as { licenseText: string };
    return spellings(licenseText).map((text): [string, TermCounts] => [key, countTerms(text)]);
  });
  return cachedTexts;
}

/** Minimum similarity of the same license: leaves room for a name, a year and an extra line. */
const SAME = 0.95;

/** The key of a text's license, or `other` if it matches no known license. */
export function recogniseLicense(text: string): string {
  const terms = countTerms(text);
  let best = { key: OTHER.key, score: SAME };
  for (const [key, counts] of licenseTexts()) {
    // So unlike in length that they can't be the same.
    if (Math.abs(counts.total - terms.total) > 0.2 * Math.max(counts.total, terms.total)) continue;
    const score = likeness(terms, counts);
    if (score > best.score) best = { key, score };
  }
  return best.key;
}
