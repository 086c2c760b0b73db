import { ArchiveRefused } from './archive-refused.js';
import type { ArchivePlace } from './archive-refused.js';
import type { LineScan } from './line-scan.js';

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

const tooMany = (what: string, most: number, of: string, place: ArchivePlace) =>
  new ArchiveRefused(`The archive has ${what} of more than ${most} ${of}.`, place);

/** Counts the values of an archive, line by line and file by file. */
export class ArchiveValues {
  #archive = 0;
  #file = 0;

  constructor(private readonly most = MOST_VALUES) {}

  /** The lines that follow are of another file. */
  beginFile(): void {
    this.#file = 0;
  }

  /** Judges a line as far as it is read. @throws ArchiveRefused */
  require({ values, elements }: LineScan, place: ArchivePlace): void {
    if (values > this.most.line) throw tooMany('a line', this.most.line, 'values', place);
    if (elements > MOST_ELEMENTS) throw tooMany('a line', MOST_ELEMENTS, 'elements', place);
    if (this.#file + values > this.most.file) throw tooMany('a file', this.most.file, 'values', place);
    if (this.#archive + values > this.most.archive)
      throw new ArchiveRefused(`The archive has more than ${this.most.archive} values.`, place);
  }

  /** Counts a line that is read to its end. */
  add({ values }: LineScan): void {
    this.#file += values;
    this.#archive += values;
  }
}
