import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Settings } from '../../core/values/settings.js';
import { Expression } from '../../core/expressions/expressions.js';
import type { CheckedText, Checker } from './checker.js';

/** For so long the process does nothing else. */
const SLICE_MS = 5;
/** A line is matched in parts of so many characters. */
const PART = 4096;

// Own pattern: splits text into words in any language that has letters.
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Word sequences as a trie, so that scanning a text takes linear time. */
interface Phrases {
  readonly next: Map<string, Phrases>;
  ends: boolean;
}

interface WordList {
  readonly phrases: Phrases;
  readonly expressions: readonly Expression[];
}

/** Letters that only look different are the same. */
const normal = (text: string) => text.normalize('NFKC').toLowerCase();

const tokenize = (text: string) => normal(text).match(WORD) ?? [];

function getPhrases(entries: readonly string[]): Phrases {
  const root: Phrases = { next: new Map(), ends: false };
  for (const terms of entries.map(tokenize)) {
    let at = root;
    for (const word of terms) {
      if (!at.next.has(word)) at.next.set(word, { next: new Map(), ends: false });
      at = at.next.get(word) as Phrases;
    }
    // An entry without any word, such as a smiley, would be in every text.
    at.ends = terms.length > 0;
  }
  return root;
}

const lists = new WeakMap<readonly string[], WordList>();

/** The list as the settings have it, made once for each change. */
function getList({ spam_wordlist: terms, spam_wordlist_expressions: sources }: Settings): WordList {
  const cached = lists.get(terms);
  if (
    cached &&
    cached.expressions.length === sources.length &&
    cached.expressions.every((e, i) => e.source === sources[i])
  )
    return cached;
  const expressions = sources.map(Expression.read).filter((read) => read instanceof Expression);
  const list = { phrases: getPhrases(terms), expressions };
  lists.set(terms, list);
  return list;
}

/** Lets others have their turn now and then. */
function slices(): () => Promise<void> {
  let ends = performance.now() + SLICE_MS;
  return async () => {
    if (performance.now() <= ends) return;
    await nextTurn();
    ends = performance.now() + SLICE_MS;
  };
}

async function holdsPhrase(phrases: Phrases, text: string, pause: () => Promise<void>): Promise<boolean> {
  if (phrases.next.size === 0) return false;
  let begun: Phrases[] = [];
  for (const [word] of normal(text).matchAll(WORD)) {
    begun = [phrases, ...begun].flatMap((at) => at.next.get(word) ?? []);
    if (begun.some(({ ends }) => ends)) return true;
    await pause();
  }
  return false;
}

function* getParts(text: string): Generator<string> {
  for (const line of text.split('\n'))
    for (let from = 0; from < line.length; from += PART) yield line.slice(from, from + PART);
}

async function holdsMatch(expressions: readonly Expression[], text: string, pause: () => Promise<void>) {
  for (const part of getParts(text)) {
    for (const expression of expressions) {
      if (expression.isIn(part)) return true;
      await pause();
    }
  }
  return false;
}

/** Checks against the instance's own words, phrases and patterns; calls no external service. */
export const wordlist: Checker = {
  name: 'wordlist',
  async check({ settings }, { title, text }: CheckedText) {
    const { phrases, expressions } = getList(settings);
    const pause = slices();
    const whole = `${title}\n${text}`;
    const found = (await holdsPhrase(phrases, whole, pause)) || (await holdsMatch(expressions, whole, pause));
    return found ? settings.spam_wordlist_verdict : 'noop';
  },
};
