import { createHash } from 'node:crypto';
import type { FileDiff } from '../../git/index.js';

/** A line of a diff. Of an added line `old` is the number that the next old line has, of a removed one `new` so. */
export interface DiffLine {
  readonly type: 'new' | 'old' | null;
  readonly old: number;
  readonly new: number;
  /** Without the sign before it. */
  readonly text: string;
}

interface Hunk {
  /** The first old line behind it. */
  readonly oldEnd: number;
  /** Offset to add to old line numbers after it. */
  readonly shift: number;
}

/** The lines of how a file differs, as far as its hunks show them. */
export interface FileLines {
  readonly lines: readonly DiffLine[];
  readonly hunks: readonly Hunk[];
}

const HEAD = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The first line after a range: an empty range comes after the line that it refers to. */
const endOf = (start: string, count = '1'): number => Number(start) + Math.max(1, Number(count));
const getStart = (start: string, count = '1'): number => Number(start) + (Number(count) === 0 ? 1 : 0);

/** Reads the hunks of a file's diff. */
export function getFileLines({ text }: Pick<FileDiff, 'text'>): FileLines {
  const lines: DiffLine[] = [];
  const hunks: Hunk[] = [];
  let [before, after] = [0, 0];
  // Where a hunk ends is known by its numbers: a line of a file may look like a head.
  let [missingOld, missingNew] = [0, 0];
  for (const line of text.split('\n')) {
    if (missingOld + missingNew === 0) {
      const [found, oldStart = '', oldCount, newStart = '', newCount] = HEAD.exec(line) ?? [];
      if (found === undefined) continue;
      [before, after] = [getStart(oldStart, oldCount), getStart(newStart, newCount)];
      [missingOld, missingNew] = [Number(oldCount ?? 1), Number(newCount ?? 1)];
      const [oldEnd, newEnd] = [endOf(oldStart, oldCount), endOf(newStart, newCount)];
      hunks.push({ oldEnd, shift: newEnd - oldEnd });
      continue;
    }
    const type = line.startsWith('+') ? 'new' : line.startsWith('-') ? 'old' : line.startsWith(' ') ? null : undefined;
    if (type === undefined) continue;
    lines.push({ type, old: before, new: after, text: line.slice(1) });
    if (type !== 'new') [before, missingOld] = [before + 1, missingOld - 1];
    if (type !== 'old') [after, missingNew] = [after + 1, missingNew - 1];
  }
  return { lines, hunks };
}

/** The line of these numbers: an added one has the new number alone, a removed one the old, one that stays both. */
export function lineAt({ lines }: FileLines, before: number | null, after: number | null): DiffLine | undefined {
  const type = before === null ? 'new' : after === null ? 'old' : null;
  return lines.find(
    (line) => line.type === type && (type === 'new' || line.old === before) && (type === 'old' || line.new === after),
  );
}

/** A function that maps an old line to its number after the change; null if it was deleted. */
export function createLineMapper({ lines, hunks }: FileLines): (line: number) => number | null {
  const lineNumbers = new Map<number, number | null>();
  for (const line of lines) if (line.type !== 'new') lineNumbers.set(line.old, line.type === null ? line.new : null);
  return (line) => {
    const inHunk = lineNumbers.get(line);
    if (inHunk !== undefined) return inHunk;
    const before = hunks.findLast(({ oldEnd }) => oldEnd <= line);
    return line + (before?.shift ?? 0);
  };
}

/** How the public API names a line of a diff (discussions-and-notes.md section 6.3). */
export const lineCode = (path: string, line: Pick<DiffLine, 'old' | 'new'>): string =>
  `${createHash('sha1').update(path).digest('hex')}_${line.old}_${line.new}`;
