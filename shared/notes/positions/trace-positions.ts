import { readDiffs } from '../../git/index.js';
import type { FileDiff, Repository } from '../../git/index.js';
import { createLineMapper, lineAt, lineCode, getFileLines } from '../../repositories/commits/diff-lines.js';
import type { DiffLine, FileLines } from '../../repositories/commits/diff-lines.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import type { LineEnd, Position, TextPosition } from '../notes/position.js';

/** Maximum number of bytes of hunks read between two commits. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 3000;

/** A diff indexed by the paths of its files, each parsed on demand. */
interface ReadDiff {
  /** The file at a path before the change; undefined if it did not change. */
  before(path: string): FileDiff | undefined;
  after(path: string): FileDiff | undefined;
  lines(file: FileDiff): FileLines;
  /** The current number of an old line of a file; null if the line was removed or cannot be traced. */
  mapLine(path: string, line: number): number | null;
}

function readDiffOf(files: readonly FileDiff[]): ReadDiff {
  const byOld = new Map(files.filter(({ kind }) => kind !== 'added').map((file) => [file.oldPath, file]));
  const byNew = new Map(files.filter(({ kind }) => kind !== 'deleted').map((file) => [file.newPath, file]));
  const cache = new Map<FileDiff, FileLines>();
  const followers = new Map<FileDiff, (line: number) => number | null>();
  const lines = (file: FileDiff) => cache.get(file) ?? cache.set(file, getFileLines(file)).get(file)!;
  return {
    before: (path) => byOld.get(path),
    after: (path) => byNew.get(path),
    lines,
    mapLine(path, line) {
      const file = byOld.get(path);
      if (!file) return line;
      if (file.kind === 'deleted' || file.tooLarge || file.collapsed) return null;
      const follower = followers.get(file) ?? followers.set(file, createLineMapper(lines(file))).get(file)!;
      return follower(line);
    },
  };
}

async function getDiff(repository: Repository, from: string, to: string): Promise<ReadDiff> {
  if (from === to) return readDiffOf([]);
  const options = { skip: 0, limit: MOST_FILES, mostBytes: MOST_BYTES };
  return readDiffOf((await withGitAnswers(() => readDiffs(repository, { from, to }, options))).files);
}

/** The commits of a version: where the branches parted, head of the target, head of the source. */
export interface VersionCommits {
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
}

interface Diffs {
  /** From the old base to the new one, from the old head to the new one, and the changes of the new version. */
  readonly base: ReadDiff;
  readonly head: ReadDiff;
  readonly now: ReadDiff;
}

/** A file of the new version, by its path in the old one. */
function fileNow({ base, head, now }: Diffs, position: Position): FileDiff | undefined {
  const newPath = head.before(position.new_path)?.newPath ?? position.new_path;
  const oldPath = base.before(position.old_path)?.newPath ?? position.old_path;
  return now.after(newPath) ?? now.before(oldPath);
}

/** The line of the new version's diff that a line of the old one became. */
function lineNow(
  diffs: Diffs,
  position: Position,
  fileLines: FileLines,
  before: number | null,
  after: number | null,
): DiffLine | undefined {
  const old = before === null ? null : diffs.base.mapLine(position.old_path, before);
  const now = after === null ? null : diffs.head.mapLine(position.new_path, after);
  // A removed line is found by its old number, and must still be removed.
  if (after === null) return old === null ? undefined : lineAt(fileLines, old, null);
  if (now === null) return undefined;
  const found = fileLines.lines.find((line) => line.new === now && line.type !== 'old');
  // An unchanged line that is now an added line was removed from the base: it is a different line.
  return found && before !== null && found.type === 'new' ? undefined : found;
}

function endNow(diffs: Diffs, position: Position, fileLines: FileLines, path: string, end: LineEnd): LineEnd | null {
  const line = lineNow(diffs, position, fileLines, end.old_line, end.new_line);
  if (!line) return null;
  return {
    line_code: lineCode(path, line),
    type: line.type,
    old_line: line.type === 'new' ? null : line.old,
    new_line: line.type === 'old' ? null : line.new,
  };
}

/** The commits and paths of a position in the new version. */
const commitsAndPaths = (version: VersionCommits, file: FileDiff) => ({
  ...version,
  old_path: file.oldPath,
  new_path: file.newPath,
});

function textNow(diffs: Diffs, version: VersionCommits, position: TextPosition): TextPosition | null {
  const file = fileNow(diffs, position);
  if (!file || file.tooLarge || file.collapsed) return null;
  const fileLines = diffs.now.lines(file);
  const line = lineNow(diffs, position, fileLines, position.old_line, position.new_line);
  if (!line) return null;
  const path = file.kind === 'deleted' ? file.oldPath : file.newPath;
  const range = position.line_range;
  const start = range && endNow(diffs, position, fileLines, path, range.start);
  const end = range && endNow(diffs, position, fileLines, path, range.end);
  if (range && !(start && end)) return null;
  return {
    ...commitsAndPaths(version, file),
    position_type: 'text',
    old_line: line.type === 'new' ? null : line.old,
    new_line: line.type === 'old' ? null : line.new,
    line_range: start && end ? { start, end } : null,
  };
}

/** A position in a new version; null if it no longer exists (discussions-and-notes.md section 6). */
function positionNow(diffs: Diffs, version: VersionCommits, position: Position): Position | null {
  if (position.position_type === 'text') return textNow(diffs, version, position);
  const file = fileNow(diffs, position);
  if (!file) return null;
  if (position.position_type === 'file') return { ...position, ...commitsAndPaths(version, file) };
  // A picture that was only renamed is the same picture.
  const changed = diffs.head.before(position.new_path);
  return changed && changed.text !== '' ? null : { ...position, ...commitsAndPaths(version, file) };
}

/** Traces positions of one old version into the new one. */
export interface PositionTracer {
  trace(position: Position): Position | null;
  /** Whether lines of a file at the old head are still consecutive and unchanged at the new one. */
  keeps(path: string, first: number, last: number): boolean;
}

/** Reads the diffs for tracing positions from an old version to a new one: at most three git processes. */
export async function createPositionTracer(
  repository: Repository,
  old: VersionCommits,
  version: VersionCommits,
): Promise<PositionTracer> {
  const [base, head, now] = await Promise.all([
    getDiff(repository, old.base_sha, version.base_sha),
    getDiff(repository, old.head_sha, version.head_sha),
    getDiff(repository, version.base_sha, version.head_sha),
  ]);
  const diffs = { base, head, now };
  return {
    trace: (position) => positionNow(diffs, version, position),
    keeps(path, first, last) {
      const start = head.mapLine(path, first);
      if (start === null) return false;
      for (let line = first; line <= last; line += 1)
        if (head.mapLine(path, line) !== start + line - first) return false;
      return true;
    },
  };
}
