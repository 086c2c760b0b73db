import { ArchiveRejected } from './archive-rejected.js';
import type { IncomingEntry } from './entries.js';

/** A line is not the expected JSON. The message gives the reason. */
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
  /** Whether it contains anything so far. */
  filled: boolean;
}

/**
 * Counts the values in a JSON text as its bytes arrive, using only brackets, commas and colons: before parsing, and
 * without storing the bytes.
 */
class LineScan {
  /** Values of every kind so far, those in arrays and objects included. */
  values = 1;
  /** The number of them that are array elements. */
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A value of JSON, once a `LineScan` has counted what it holds. Keys such as `__proto__` become plain properties, which
 * nothing may copy by assignment: read objects through {@link ownValue}.
 * @throws BadJson
 */
function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(line)) as unknown;
  } catch {
    throw new BadJson('is not valid JSON');
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A property of an object's own; undefined for one that it inherits or has not. */
export const ownValue = (row: JsonObject, key: string): unknown => (Object.hasOwn(row, key) ? row[key] : undefined);

/** Bytes of the longest line (group-export-import.md section 5). */
const LONGEST_LINE = 10 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A line of an entry: its object, or why it is none. */
export type JsonLine = { line: number; row: JsonObject } | { line: number; problem: string };

/** What arrived, or why nothing of it is read. */
type Arrived = { text: Buffer; problem?: undefined } | { text?: undefined; problem: string };

/** A line that is still arriving. Once it is known to be invalid, its bytes are dropped. */
class Arriving {
  readonly #pieces: Buffer[] = [];
  readonly #scan = new LineScan();
  #problem: string | null = null;
  #length = 0;

  /** @param line omitted if the whole file is one object */
  constructor(
    private readonly entry: IncomingEntry,
    private readonly line?: number,
  ) {}

  /** @throws ArchiveRejected if it is too long or contains too many values */
  add(piece: Buffer): void {
    const location = { file: this.entry.name, ...(this.line !== undefined && { line: this.line }) };
    this.#length += piece.length;
    if (this.#length > LONGEST_LINE) throw new ArchiveRejected('The archive has a line that is too long.', location);
    if (this.#problem !== null) return;
    this.#pieces.push(piece);
    try {
      this.#scan.add(piece);
    } catch (error) {
      if (!(error instanceof BadJson)) throw error;
      this.#problem = error.message;
      this.#pieces.length = 0;
    }
    this.entry.values.require(this.#scan, location);
  }

  end(): Arrived {
    this.entry.values.add(this.#scan);
    if (this.#problem !== null) return { problem: this.#problem };
    return { text: this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces) };
  }
}

/**
 * The lines of an entry; empty ones are left out, and so is the lack of an end behind the last. What they hold is
 * counted while they arrive.
 * @throws ArchiveRejected for one that is too long, and where there are more values than may be
 */
export async function* entryLines(entry: IncomingEntry): AsyncGenerator<Arrived & { line: number }> {
  entry.values.beginFile();
  let arriving: Arriving | null = null;
  let line = 1;
  for await (const piece of entry.contents()) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      if (end > from) (arriving ??= new Arriving(entry, line)).add(piece.subarray(from, end));
      if (arriving) yield { line, ...arriving.end() };
      arriving = null;
      line += 1;
      from = end + 1;
    }
    if (from < piece.length) (arriving ??= new Arriving(entry, line)).add(piece.subarray(from));
  }
  if (arriving) yield { line, ...arriving.end() };
}

/**
 * The JSON that an entry holds, on one line or on many.
 * @throws BadJson, ArchiveRejected for an entry that is longer, or holds more, than a line may
 */
export async function wholeJson(entry: IncomingEntry): Promise<unknown> {
  const { name, size, values, contents } = entry;
  if (size > LONGEST_LINE) throw new ArchiveRejected('The archive has an object that is too long.', { file: name });
  values.beginFile();
  const arriving = new Arriving(entry);
  for await (const piece of contents()) arriving.add(piece);
  const { text, problem } = arriving.end();
  if (problem !== undefined) throw new BadJson(problem);
  return parseJson(text);
}

/**
 * The objects of an entry, one per line; a line without an object has an error instead.
 * @throws ArchiveRejected as {@link entryLines}
 */
export async function* readJsonRows(entry: IncomingEntry): AsyncGenerator<JsonLine> {
  for await (const found of entryLines(entry)) {
    const { line } = found;
    if (found.problem !== undefined) {
      yield { line, problem: found.problem };
      continue;
    }
    try {
      const row = parseJson(found.text);
      yield isJsonObject(row) ? { line, row } : { line, problem: 'is not an object' };
    } catch (error) {
      if (!(error instanceof BadJson)) throw error;
      yield { line, problem: error.message };
    }
  }
}
