import { setImmediate as nextTurn } from 'node:timers/promises';
import { compilePattern } from '../rules/compile-pattern.js';
import type { Pattern } from '../rules/compile-pattern.js';

/** Characters of a line that are searched, fewer for large patterns: about 30 ms in the worst case. */
const LINE_CHARACTERS = 8 * 1024;
const LINE_WORK = 1_000_000;
/** Instructions times characters of a whole log: about 20 s in the worst case. */
const LOG_WORK = 600_000_000;
/** A line takes as long as so many more characters, also if it is empty. */
const LINE_OVERHEAD = 8;
/** So long at a stretch, in milliseconds. */
const TURN_MS = 10;
/** What is kept of a line whose beginning is not read yet. */
const REST_BYTES = 64 * 1024;

const NEWLINE = 0x0a;
/** What runners write before a line: its time, and the stream that it came from. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]{8,18}Z [\da-f]{2}[EO][ +]/;
// oxlint-disable-next-line no-control-regex -- this character is what is looked for
const COLORS = /\u001b\[[\d;]*[A-Za-z]/g;
const NUMBER = /\d+(?:\.\d+)?/g;

/** The last number in the last match of a line: of its last group, if the pattern has groups. */
function findInLine(pattern: Pattern, line: string): number | null {
  const matcher = pattern.matcher(line);
  let found: string | null = null;
  while (matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index));
    found = groups.findLast((group) => group !== null) ?? null;
  }
  const number = Number(found?.match(NUMBER)?.at(-1) ?? NaN);
  return Number.isFinite(number) ? number : null;
}

/** The lines of a log from its last to its first. @param parts its bytes, in parts from the last to the first */
async function* readLines(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes = Buffer.concat([part, rest]);
    let end = bytes.length;
    for (let at = bytes.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1)) {
      yield bytes.subarray(at + 1, end);
      end = at;
    }
    rest = Buffer.from(bytes.subarray(0, Math.min(end, REST_BYTES)));
  }
  yield rest;
}

/**
 * Finds the coverage that a log tells: the last number in the last match of a pattern, searched line by line from the
 * end, in short turns between which others go on.
 * @param source the pattern, as RE2 takes it
 * @param parts the bytes of the log, in parts from the last to the first
 * @returns per cent; null if the pattern is found nowhere
 */
export async function findCoverage(source: string, parts: AsyncIterable<Buffer>): Promise<number | null> {
  const pattern = compilePattern(source, '');
  if (!pattern) return null;
  const size = Math.max(1, pattern.programSize());
  const characters = Math.min(LINE_CHARACTERS, Math.ceil(LINE_WORK / size));
  let work = 0;
  let began = performance.now();
  const search = (line: Buffer): number | null => {
    const text = line
      .subarray(0, 4 * characters)
      .toString('utf8')
      .replace(COLORS, '')
      .replace(TIMESTAMP, '');
    const searched = text.slice(0, characters);
    work += (searched.length + LINE_OVERHEAD) * size;
    return findInLine(pattern, searched);
  };
  for await (const line of readLines(parts)) {
    const found = search(line);
    if (found !== null) return found;
    if (work > LOG_WORK) return null;
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
  return null;
}
