import { MAX_DEPTH, MAX_KEYS, tooDeep, tooManyKeys } from '../nested-params.js';

/** Counts the values of a text while its chunks arrive. @throws BadParams beyond contract decision 21 */
export interface Scan {
  take(piece: string): void;
}

const [QUOTE, BACKSLASH, COMMA, SPACE] = [0x22, 0x5c, 0x2c, 0x20];
/** `[` and `{` differ by one bit, as do `]` and `}`. */
const [BIT, OPENING, CLOSING] = [0x20, 0x7b, 0x7d];

/**
 * Counts the members of objects and elements of arrays in JSON: one for each comma, and one for the first of each that
 * is not empty. The count of invalid JSON does not matter, because the parser refuses it.
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
    let [inString, escaped] = [this.#inString, this.#escaped];
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (escaped) escaped = false;
      else if (inString) {
        inString = code !== QUOTE;
        escaped = code === BACKSLASH;
      } else if (code > SPACE) inString = this.#step(code);
    }
    [this.#inString, this.#escaped] = [inString, escaped];
  }

  /** Outside of strings. @returns whether one begins */
  #step(code: number): boolean {
    if ((code | BIT) === CLOSING) this.#depth -= 1;
    else if ((this.#begun || code === COMMA) && (this.#values += 1) > MAX_KEYS) throw tooManyKeys();
    this.#begun = (code | BIT) === OPENING;
    if (this.#begun && (this.#depth += 1) > MAX_DEPTH) throw tooDeep();
    return code === QUOTE;
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
