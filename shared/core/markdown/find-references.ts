import type { NameForm, ReferenceSyntax } from './reference-syntax.js';

/** A part of a text that may be a reference. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly syntax: ReferenceSyntax;
  readonly path: string | null;
  readonly name: string;
  readonly by: NameForm;
  readonly to?: string;
}

/** No path is longer: 20 groups in one another, with names of 255. */
const PATH_LENGTH = 20 * 256;

const WORD = /[\p{L}\p{M}\p{N}_]/u;
const PATH_CHARACTER = /[A-Za-z0-9_.\-/]/;
const isWord = (character: string | undefined) => character !== undefined && WORD.test(character);

/** What each form looks like, behind the sigil. Each is of bounded length, and none goes back more than that. */
const FORMS: Readonly<Record<NameForm, RegExp>> = {
  number: /([0-9]{1,10})(?![\p{L}\p{M}\p{N}_])/uy,
  quoted: /"([^"\n]{1,255})"/uy,
  word: /([\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_.?:&-]{0,254})/uy,
  path: /([A-Za-z0-9_][A-Za-z0-9_.\-/]{0,1000})/uy,
  sha: /([0-9a-f]{7,40})(?:\.{2,3}([0-9a-f]{7,40}))?(?![\p{L}\p{M}\p{N}_])/uy,
};

/** What ends a sentence ends no name. */
function withoutSentenceEnd(name: string): string {
  let end = name.length;
  while (end > 0 && '.?:&/-'.includes(name[end - 1] as string)) end -= 1;
  return name.slice(0, end);
}

/** Reads the name at `at`, in the first form that matches. */
function nameAt(text: string, at: number, forms: readonly NameForm[]): Omit<Found, 'start' | 'syntax' | 'path'> | null {
  for (const by of forms) {
    const form = FORMS[by];
    form.lastIndex = at;
    const match = form.exec(text);
    if (!match?.[1]) continue;
    const name = by === 'word' || by === 'path' ? withoutSentenceEnd(match[1]) : match[1];
    const end = at + match[0].length - (match[1].length - name.length);
    return { name, by, end, ...(match[2] === undefined ? {} : { to: match[2] }) };
  }
  return null;
}

/** Where the path that ends at `end` begins, not before `least`; `end` where there is none. */
function pathStart(text: string, end: number, least: number): number {
  let start = end;
  const limit = Math.max(least, end - PATH_LENGTH);
  while (start > limit && PATH_CHARACTER.test(text[start - 1] as string)) start -= 1;
  // A path begins with a letter or digit: `(-a/b#1` is `a/b#1` in brackets.
  while (start < end && !/[A-Za-z0-9_]/.test(text[start] as string)) start += 1;
  return start;
}

/** What comes right before a reference to something "here": no word, no path, no sigil of its own. */
const freeBefore = (before: string | undefined, sigil: string) =>
  before === undefined || (!isWord(before) && before !== '/' && before !== sigil);

/** Finds references of some syntaxes in plain text, in one pass. */
export class ReferenceFinder {
  readonly #bySigil: ReadonlyMap<string, readonly ReferenceSyntax[]>;
  readonly #alone: ReferenceSyntax | undefined;
  readonly #trigger: RegExp;

  constructor(syntaxes: readonly ReferenceSyntax[]) {
    this.#bySigil = Map.groupBy(
      syntaxes.filter(({ sigil }) => sigil !== undefined),
      ({ sigil }) => sigil as string,
    );
    this.#alone = syntaxes.find(({ sigil }) => sigil === undefined);
    const sigils = [...this.#bySigil.keys()].map((sigil) => `\\${sigil}`).join('');
    const alternatives = [
      ...(sigils === '' ? [] : [`[${sigils}]`]),
      ...(this.#alone ? [String.raw`(?<![A-Za-z0-9_\-./@#])[0-9a-f]{7}`] : []),
    ];
    // Own pattern: of the sigils that domains declare.
    this.#trigger = new RegExp(alternatives.length > 0 ? alternatives.join('|') : '(?!)', 'g');
  }

  /** All that may be references, at most `most`, in their order; none overlaps another. */
  find(text: string, most: number): Found[] {
    const found: Found[] = [];
    this.#trigger.lastIndex = 0;
    let free = 0;
    for (let match = this.#trigger.exec(text); match && found.length < most; match = this.#trigger.exec(text)) {
      const one = this.#at(text, match.index, free);
      if (!one) {
        this.#trigger.lastIndex = match.index + 1;
        continue;
      }
      found.push(one);
      free = one.end;
      this.#trigger.lastIndex = one.end;
    }
    return found;
  }

  #at(text: string, at: number, free: number): Found | null {
    const syntaxes = this.#bySigil.get(text[at] as string);
    if (!syntaxes) return this.#alone ? read(text, this.#alone, at, at, null) : null;
    const start = pathStart(text, at, free);
    for (const syntax of syntaxes) {
      const sigil = syntax.sigil as string;
      if (start === at) {
        // The id of a commit needs no sigil, only a path.
        if (syntax.nameForms[0] === 'sha' || !freeBefore(text[at - 1], sigil)) continue;
      } else if (!syntax.prefixed || !freeBefore(text[start - 1], sigil)) continue;
      const one = read(text, syntax, start, at + sigil.length, start === at ? null : text.slice(start, at));
      if (one) return one;
    }
    return null;
  }
}

function read(text: string, syntax: ReferenceSyntax, start: number, at: number, path: string | null): Found | null {
  const name = nameAt(text, at, syntax.nameForms);
  return name && name.name !== '' ? { start, syntax, path, ...name } : null;
}
