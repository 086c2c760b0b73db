import { MAX_DEPTH, MAX_KEYS, tooDeep, tooManyKeys } from '../nested-params.js';

/** Counts what a text would become before anything is made of it, a piece at a time as it arrives. */
export interface Scan {
  /** @throws BadParams beyond the limits on keys and depth (README decision 21) */
  take(piece: string): void;
}

const BACKSLASH = 0x5c;

/** What a character is outside of texts. */
const OTHER = 0;
const SPACE = 1;
const QUOTE = 2;
const COMMA = 3;
const OPENING = 4;
const CLOSING = 5;

const KINDS = new Uint8Array(128);
for (const [characters, kind] of [
  [' \n\r\t', SPACE],
  ['"', QUOTE],
  [',', COMMA],
  ['{[', OPENING],
  ['}]', CLOSING],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;

/**
 * Counts the members of objects and elements of arrays in JSON: one for each comma, and one for the first of each that
 * is not empty. What is no JSON is counted somehow, and refused by the parser.
 */
export class JsonScan implements Scan {
  #values = 0;
  #depth = 0;
  /** An object or array has begun, and nothing has been seen in it yet. */
  #begun = false;
  #inString = false;
  /** In a string, behind an odd number of backslashes. */
  #escaped = false;

  take(piece: string): void {
    for (let at = 0; at < piece.length;) {
      if (this.#inString) {
        at = this.#skipString(piece, at);
        continue;
      }
      const kind = KINDS[piece.charCodeAt(at)] ?? OTHER;
      at += 1;
      if (kind !== SPACE && (kind !== OTHER || this.#begun)) this.#step(kind);
    }
  }

  #step(kind: number) {
    if (kind === CLOSING) {
      this.#depth -= 1;
      this.#begun = false;
      return;
    }
    if (this.#begun || kind === COMMA) this.#count();
    this.#begun = false;
    if (kind === QUOTE) this.#inString = true;
    else if (kind === OPENING) this.#open();
  }

  #count() {
    this.#values += 1;
    if (this.#values > MAX_KEYS) throw tooManyKeys();
  }

  #open() {
    this.#depth += 1;
    this.#begun = true;
    if (this.#depth > MAX_DEPTH) throw tooDeep();
  }

  /** Goes on behind the string's end, or to the end of the piece. */
  #skipString(piece: string, from: number): number {
    const quote = piece.indexOf('"', from);
    const end = quote < 0 ? piece.length : quote;
    let first = end;
    while (first > from && piece.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    const odd = (end - first) % 2 === 1;
    // A run of backslashes that begins the piece goes on with what ended the one before.
    const escaped = first === from ? odd !== this.#escaped : odd;
    this.#escaped = quote < 0 && escaped;
    if (quote < 0) return end;
    this.#inString = escaped;
    return quote + 1;
  }
}

/** Counts the pairs of a form, or of a query string. */
export class FormScan implements Scan {
  #pairs = 0;

  take(piece: string): void {
    for (let at = piece.indexOf('&'); at >= 0; at = piece.indexOf('&', at + 1)) {
      this.#pairs += 1;
      if (this.#pairs > MAX_KEYS) throw tooManyKeys();
    }
  }
}

/** For a body that does not say what it is: what is too much for the one may be little for the other. */
export class UntypedScan implements Scan {
  readonly #scans: readonly Scan[];
  /** What was wrong for JSON, and for a form. */
  readonly problems: [Error?, Error?] = [];

  constructor(json = new JsonScan()) {
    this.#scans = [json, new FormScan()];
  }

  take(piece: string): void {
    this.#scans.forEach((scan, index) => {
      if (this.problems[index]) return;
      try {
        scan.take(piece);
      } catch (error) {
        this.problems[index] = error as Error;
      }
    });
    if (this.problems[0] && this.problems[1]) throw this.problems[0];
  }
}
