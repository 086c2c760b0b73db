import { RE2JS } from 're2js';

/** Characters of a glob that has wildcards. */
const MAX_GLOB = 1_024;

/** What the writing of one glob needs. */
interface Writer {
  glob: string;
  /** The closing brace for each opening one that has one. */
  braces: ReadonlyMap<number, number>;
  at: number;
  /** Whether a path segment begins here, so that `**` can mean any number of directories. */
  fresh: boolean;
}

/** Whether a glob holds something that does not stand for itself. */
export function hasWildcards(glob: string): boolean {
  return /[*?[\]{}\\]/.test(glob);
}

/**
 * Translates a glob into a pattern of RE2 for a whole path, so that it is matched in linear time: `*` and `?` stop at
 * `/`, `**` as a whole segment is any number of directories, `[a-z]`, `[!a]`, `[^a]`, `{a,b}` (also nested), and `\`
 * before a character. Names with a leading dot need nothing special. Anything else stands for itself: there are no
 * `+(a)`, `!(a)`, `(a|b)`, `{1..3}` nor a leading `!`. Braces become alternatives, which are never written out.
 * Returns null when the glob is longer than 1,024 characters or cannot match.
 */
export function compileGlob(glob: string): RE2JS | null {
  if (glob.length > MAX_GLOB) return null;
  const writer: Writer = { glob, braces: pairBraces(glob), at: 0, fresh: true };
  try {
    return RE2JS.compile(`(?s)^(?:${writeUntil(writer, glob.length)})$`);
  } catch {
    return null;
  }
}

/** Writes up to `end`, which is the end of the glob, or the brace or comma that ends an alternative. */
function writeUntil(writer: Writer, end: number): string {
  const parts: string[] = [];
  while (writer.at < end) {
    const brace = writer.braces.get(writer.at);
    const wasFresh = writer.fresh;
    writer.fresh = false;
    const char = writer.glob[writer.at]!;
    if (char === '*') parts.push(writeStars(writer, wasFresh));
    else if (char === '?') parts.push(writeChar(writer, '[^/]'));
    else if (char === '[') parts.push(writeClass(writer) ?? writeChar(writer, '\\['));
    else if (brace !== undefined) parts.push(writeBraces(writer, brace, wasFresh));
    else parts.push(writeLiteral(writer));
  }
  return parts.join('');
}

function writeChar(writer: Writer, text: string): string {
  writer.at += 1;
  return text;
}

function writeLiteral(writer: Writer): string {
  if (writer.glob[writer.at] === '\\' && writer.at + 1 < writer.glob.length) writer.at += 1;
  const char = String.fromCodePoint(writer.glob.codePointAt(writer.at)!);
  writer.at += char.length;
  writer.fresh = char === '/';
  return RE2JS.quote(char);
}

function writeStars(writer: Writer, fresh: boolean): string {
  const start = writer.at;
  while (writer.glob[writer.at] === '*') writer.at += 1;
  const next = writer.glob[writer.at];
  if (!fresh || writer.at - start !== 2) return '[^/]*';
  if (next === '/') {
    writer.at += 1;
    writer.fresh = true;
    return '(?:[^/]*/)*';
  }
  return next === undefined || next === ',' || next === '}' ? '.+' : '[^/]*';
}

function writeBraces(writer: Writer, end: number, fresh: boolean): string {
  const alternatives: string[] = [];
  let allFresh = true;
  while (writer.at < end) {
    writer.at += 1;
    writer.fresh = fresh;
    alternatives.push(writeUntil(writer, findComma(writer, end)));
    allFresh &&= writer.fresh;
  }
  writer.at = end + 1;
  writer.fresh = allFresh;
  return `(?:${alternatives.join('|')})`;
}

/** The end of an alternative: the next comma of this level, or the closing brace. */
function findComma(writer: Writer, end: number): number {
  for (let at = writer.at; at < end; at += 1) {
    const char = writer.glob[at];
    if (char === '\\') at += 1;
    else if (char === '[') at = Math.max(at, findClassEnd(writer.glob, at));
    else if (char === ',') return at;
    else at = writer.braces.get(at) ?? at;
  }
  return end;
}

function pairBraces(glob: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob[at];
    if (char === '\\') at += 1;
    else if (char === '[') at = Math.max(at, findClassEnd(glob, at));
    else if (char === '{') open.push(at);
    else if (char === '}' && open.length > 0) pairs.set(open.pop()!, at);
  }
  return pairs;
}

/** The bracket that closes a class; -1: there is none, and `[` stands for itself. The first `]` may be a member. */
function findClassEnd(glob: string, start: number): number {
  const first = start + (isNegation(glob[start + 1]) ? 2 : 1);
  for (let at = first; at < glob.length; at += 1) {
    if (glob[at] === ']' && at > first) return at;
    if (glob[at] === '\\') at += 1;
    if (glob[at] === '/') return -1;
  }
  return -1;
}

function isNegation(char: string | undefined): boolean {
  return char === '!' || char === '^';
}

function writeClass(writer: Writer): string | null {
  const end = findClassEnd(writer.glob, writer.at);
  if (end === -1) return null;
  const negated = isNegation(writer.glob[writer.at + 1]);
  const ranges = readRanges(Array.from(writer.glob.slice(writer.at + (negated ? 2 : 1), end)));
  writer.at = end + 1;
  if (ranges.length === 0) return negated ? '[^/]' : '[^\\x{0}-\\x{10FFFF}]';
  if (negated) return `[^/${ranges.map(writeRange).join('')}]`;
  return `[${ranges.flatMap(leaveOutSlash).map(writeRange).join('')}]`;
}

type Range = readonly [low: number, high: number];

/** The members of a class; a range that runs backwards has none. */
function readRanges(chars: readonly string[]): Range[] {
  const ranges: Range[] = [];
  let at = 0;
  const next = (): number => {
    if (chars[at] === '\\' && at + 1 < chars.length) at += 1;
    const code = chars[at]!.codePointAt(0)!;
    at += 1;
    return code;
  };
  while (at < chars.length) {
    const low = next();
    const isRange = chars[at] === '-' && at + 1 < chars.length;
    if (isRange) at += 1;
    const high = isRange ? next() : low;
    if (low <= high) ranges.push([low, high]);
  }
  return ranges;
}

const SLASH = 47;

function leaveOutSlash([low, high]: Range): Range[] {
  if (low > SLASH || high < SLASH) return [[low, high]];
  const ranges: Range[] = [
    [low, SLASH - 1],
    [SLASH + 1, high],
  ];
  return ranges.filter(([from, to]) => from <= to);
}

function writeRange([low, high]: Range): string {
  return `\\x{${low.toString(16)}}-\\x{${high.toString(16)}}`;
}
