import { ArchiveRejected } from './archive-rejected.js';
import type { ArchiveLocation } from './archive-rejected.js';

/** A line is not the JSON that it should be. The message says why. */
export class BadJson extends Error {}

/** Depth of arrays and objects in each other (group-export-import.md section 5). */
const MOST_DEPTH = 100;
/** Keys of one object: relations have some dozens. A million of them would fill the memory before any is dropped. */
const MOST_KEYS = 1000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;
const isSpace = (byte: number) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;

/** An array or object that is open. */
interface Open {
  readonly list: boolean;
  keys: number;
  /** Whether anything stands in it so far. */
  filled: boolean;
}

/**
 * Counts what a text of JSON holds while its bytes arrive, by brackets, commas and colons alone: before anything is made
 * of them, and without keeping them.
 */
export class LineScan {
  /** Values of every kind so far, those in arrays and objects included. */
  values = 1;
  /** Those of them that are elements of arrays. */
  elements = 0;
  readonly #open: Open[] = [{ list: false, keys: 0, filled: true }];
  #inText = false;
  /** Whether the piece before ended, within a text, behind an odd number of backslashes. */
  #escaped = false;

  /** @throws BadJson */
  add(piece: Buffer): void {
    let at = this.#inText ? this.#behindText(piece, 0) : 0;
    while (at < piece.length) {
      const byte = piece[at] as number;
      at += 1;
      if (isSpace(byte)) continue;
      if (isClosing(byte)) {
        if (this.#open.length > 1) this.#open.pop();
        continue;
      }
      const within = this.#open.at(-1) as Open;
      if (!within.filled) {
        within.filled = true;
        this.#count(within);
      }
      if (byte === QUOTE) at = this.#behindText(piece, at);
      else if (byte === COMMA) this.#count(within);
      else if (byte === COLON) within.keys += 1;
      else if (isOpening(byte)) this.#open.push({ list: byte === 0x5b, keys: 0, filled: false });
      if (within.keys > MOST_KEYS) throw new BadJson(`has an object of more than ${MOST_KEYS} attributes`);
      if (this.#open.length > MOST_DEPTH + 1) throw new BadJson(`is nested deeper than ${MOST_DEPTH}`);
    }
  }

  #count({ list }: Open): void {
    this.values += 1;
    if (list) this.elements += 1;
  }

  /** Where the text ends that `from` lies in: behind its last quote, or with the piece. */
  #behindText(piece: Buffer, from: number): number {
    const escapedAt = (end: number) => {
      let first = end;
      while (first > from && piece[first - 1] === BACKSLASH) first -= 1;
      const odd = (end - first) % 2 === 1;
      return first === 0 && this.#inText && this.#escaped ? !odd : odd;
    };
    for (let quote = piece.indexOf(QUOTE, from); quote >= 0; quote = piece.indexOf(QUOTE, quote + 1)) {
      if (escapedAt(quote)) continue;
      this.#inText = false;
      this.#escaped = false;
      return quote + 1;
    }
    this.#escaped = escapedAt(piece.length);
    this.#inText = true;
    return piece.length;
  }
}

/** How many values a line, a file and an archive may have. */
export interface ValueLimits {
  readonly line: number;
  readonly file: number;
  readonly archive: number;
}

/**
 * Values of JSON at most, so that no more is made of an archive than memory and time suffice for. An issue of 10 MiB with
 * 20,000 comments has some 400,000.
 */
const MOST_VALUES: ValueLimits = { line: 500_000, file: 50_000_000, archive: 200_000_000 };
/** Elements of all arrays of a line at most: of each a row may be made. */
const MOST_ELEMENTS = 50_000;

const tooMany = (what: string, most: number, of: string, location: ArchiveLocation) =>
  new ArchiveRejected(`The archive has ${what} of more than ${most} ${of}.`, location);

/** Counts the values of an archive, line by line and file by file. */
export class ArchiveValues {
  #archive = 0;
  #file = 0;

  constructor(private readonly most = MOST_VALUES) {}

  /** The lines that follow are of another file. */
  beginFile(): void {
    this.#file = 0;
  }

  /** Judges a line as far as it is read. @throws ArchiveRejected */
  require({ values, elements }: LineScan, location: ArchiveLocation): void {
    if (values > this.most.line) throw tooMany('a line', this.most.line, 'values', location);
    if (elements > MOST_ELEMENTS) throw tooMany('a line', MOST_ELEMENTS, 'elements', location);
    if (this.#file + values > this.most.file) throw tooMany('a file', this.most.file, 'values', location);
    if (this.#archive + values > this.most.archive)
      throw new ArchiveRejected(`The archive has more than ${this.most.archive} values.`, location);
  }

  /** Counts a line that is read to its end. */
  add({ values }: LineScan): void {
    this.#file += values;
    this.#archive += values;
  }
}
