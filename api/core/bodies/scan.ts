import { MAX_DEPTH, MAX_KEYS, tooDeep, tooManyKeys } from '../nested-params.js';

/** Counts what a text would become before anything is made of it, a piece at a time as it arrives. */
export interface Scan {
  /** @throws BadParams beyond the limits on keys and depth (README decision 21) */
  take(piece: string): void;
}

const [QUOTE, BACKSLASH, COMMA, SPACE] = [0x22, 0x5c, 0x2c, 0x20];
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);
/** What is not only a part of a value, by its code. */
const STRUCTURE = new Uint8Array(128);
for (const code of [QUOTE, COMMA, ...OPENING, ...CLOSING]) STRUCTURE[code] = 1;

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
    for (let at = 0; at < piece.length; at += 1) {
      if (this.#inString) at = this.#endOfString(piece, at);
      else {
        const code = piece.charCodeAt(at);
        if (STRUCTURE[code] === 1 || (this.#begun && code > SPACE)) this.#step(code);
      }
    }
  }

  #step(code: number) {
    if (CLOSING.has(code)) this.#depth -= 1;
    else if ((this.#begun || code === COMMA) && (this.#values += 1) > MAX_KEYS) throw tooManyKeys();
    this.#begun = OPENING.has(code);
    this.#inString = code === QUOTE;
    if (this.#begun && (this.#depth += 1) > MAX_DEPTH) throw tooDeep();
  }

  /** Where a string ends, or the piece. */
  #endOfString(piece: string, from: number): number {
    const quote = piece.indexOf('"', from);
    const end = quote < 0 ? piece.length : quote;
    let first = end;
    while (first > from && piece.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    // A run of backslashes that begins the piece goes on with what ended the one before.
    const escaped = ((end - first) % 2 === 1) !== (first === from && this.#escaped);
    this.#escaped = quote < 0 && escaped;
    this.#inString = quote < 0 || escaped;
    return end;
  }
}

/** Counts the pairs of a form, or of a query string. */
export class FormScan implements Scan {
  #pairs = 0;

  take(piece: string): void {
    for (let at = piece.indexOf('&'); at >= 0; at = piece.indexOf('&', at + 1))
      if ((this.#pairs += 1) > MAX_KEYS) throw tooManyKeys();
  }
}

/** For a body that does not say what it is: what is too much for the one may be little for the other. */
export class UntypedScan implements Scan {
  /** What was wrong for JSON, and for a form. */
  readonly problems: [Error?, Error?] = [];

  constructor(private readonly json: Scan = new JsonScan()) {}

  readonly #form = new FormScan();

  take(piece: string): void {
    [this.json, this.#form].forEach((scan, index) => {
      try {
        if (!this.problems[index]) scan.take(piece);
      } catch (error) {
        this.problems[index] = error as Error;
      }
    });
    if (this.problems[0] && this.problems[1]) throw this.problems[0];
  }
}
