import { ArchiveRefused } from './archive-refused.js';
import type { IncomingEntry } from './entries.js';
import { BadJson, isJsonObject, parseJson } from './safe-json.js';
import type { JsonObject } from './safe-json.js';

/** Bytes of the longest line (group-export-import.md section 5). */
const LONGEST_LINE = 10 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A line of an entry: its object, or why it is none. */
export type JsonLine = { line: number; row: JsonObject } | { line: number; problem: string };

/**
 * The lines of an entry without their ends; empty ones are left out, and so is the lack of an end behind the last.
 * @throws ArchiveRefused for one that is too long
 */
export async function* entryLines({ name, contents }: IncomingEntry): AsyncGenerator<{ line: number; text: Buffer }> {
  let line = 1;
  let begun: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer) => {
    length += piece.length;
    if (length > LONGEST_LINE)
      throw new ArchiveRefused('The archive has a line that is too long.', { file: name, line });
    begun.push(piece);
  };
  const finish = () => {
    const text = begun.length === 1 ? (begun[0] as Buffer) : Buffer.concat(begun);
    begun = [];
    length = 0;
    return { line: line++, text };
  };
  for await (const piece of contents()) {
    let from = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, from)) {
      take(piece.subarray(from, end));
      const finished = finish();
      if (finished.text.length > 0) yield finished;
      from = end + 1;
    }
    if (from < piece.length) take(piece.subarray(from));
  }
  if (length > 0) yield finish();
}

/**
 * The JSON that an entry holds, on one line or on many.
 * @throws BadJson, ArchiveRefused for an entry that is longer than a line may be
 */
export async function wholeJson({ name, size, contents }: IncomingEntry): Promise<unknown> {
  if (size > LONGEST_LINE) throw new ArchiveRefused('The archive has an object that is too long.', { file: name });
  const pieces: Buffer[] = [];
  for await (const piece of contents()) pieces.push(piece);
  return parseJson(Buffer.concat(pieces));
}

/** The objects of an entry, one a line; a line that holds none says why. @throws ArchiveRefused for one that is too long */
export async function* jsonRowsOf(entry: IncomingEntry): AsyncGenerator<JsonLine> {
  for await (const { line, text } of entryLines(entry)) {
    try {
      const row = parseJson(text);
      yield isJsonObject(row) ? { line, row } : { line, problem: 'is not an object' };
    } catch (error) {
      if (!(error instanceof BadJson)) throw error;
      yield { line, problem: error.message };
    }
  }
}
