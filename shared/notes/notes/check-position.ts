import type { Context } from '../../core/context/context.js';
import { isValidFilePath, readDiffs } from '../../git/index.js';
import type { FileDiff } from '../../git/index.js';
import { lineAt, lineCode, getFileLines } from '../../repositories/commits/diff-lines.js';
import type { DiffLine, FileLines } from '../../repositories/commits/diff-lines.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import type { Noteable } from '../noteables/noteable.js';
import { InvalidNote } from './note.rules.js';
import { noLine, requireRange } from './compared-commits.js';
import type { LineEndInput, PositionInput } from './position-params.js';
import { linesUpTo } from './diff-lines.js';
import type { NoteDiffLine } from './note-diff-lines.entity.js';
import type { LineEnd, Position, TextPosition } from './position.js';

/** Bytes of a position as JSON. */
const MOST_BYTES = 100 * 1024;
/** Bytes of a path: git knows no longer ones. */
const MOST_PATH = 4096;
/** Of a picture. */
const MOST_PIXELS = 1_000_000;

const incomplete = () => new InvalidNote('position', 'is incomplete');
const invalid = () => new InvalidNote('position', 'is invalid');

/** The file of a diff at these paths, which may be the one of them that there is. */
async function getFile(ctx: Context, projectId: number, input: PositionInput): Promise<FileDiff | undefined> {
  const before = input.old_path ?? input.new_path ?? '';
  const after = input.new_path ?? before;
  const paths = [...new Set([before, after])];
  if (paths.some((path) => Buffer.byteLength(path) > MOST_PATH || !isValidFilePath(path))) return undefined;
  const range = { from: input.base_sha, to: input.head_sha };
  const options = { skip: 0, limit: paths.length, paths };
  const { files } = await withGitAnswers(() => readDiffs(openRepository(ctx, { id: projectId }), range, options));
  return files.find(
    (file) => file.newPath === after && (file.oldPath === before || file.kind === 'added' || file.kind === 'deleted'),
  );
}

/** The lines of a file's diff; empty if the file is not in the diff. */
export async function linesOfFile(ctx: Context, projectId: number, input: PositionInput): Promise<readonly DiffLine[]> {
  const file = await getFile(ctx, projectId, input);
  return file ? getFileLines(file).lines : [];
}

const getPath = ({ kind, oldPath, newPath }: FileDiff): string => (kind === 'deleted' ? oldPath : newPath);

const endOf = (file: FileDiff, line: DiffLine): LineEnd => ({
  line_code: lineCode(getPath(file), line),
  type: line.type,
  old_line: line.type === 'new' ? null : line.old,
  new_line: line.type === 'old' ? null : line.new,
});

/** The line that one end of a range names, by its numbers or its code. @throws InvalidNote */
function lineOfEnd(file: FileDiff, fileLines: FileLines, input: LineEndInput): DiffLine {
  const { old_line: before = null, new_line: after = null, line_code: code } = input;
  const numbered = before === null && after === null ? undefined : lineAt(fileLines, before, after);
  const coded = code === undefined ? undefined : fileLines.lines.find((line) => lineCode(getPath(file), line) === code);
  const found = numbered ?? coded;
  if (!found) throw noLine();
  return found;
}

/** @throws InvalidNote if the first line comes after the last one */
function getRange(file: FileDiff, fileLines: FileLines, input: PositionInput): TextPosition['line_range'] {
  if (!input.line_range) return null;
  const [start, end] = [input.line_range.start, input.line_range.end].map((one) => lineOfEnd(file, fileLines, one)) as [
    DiffLine,
    DiffLine,
  ];
  if (fileLines.lines.indexOf(start) > fileLines.lines.indexOf(end)) throw invalid();
  return { start: endOf(file, start), end: endOf(file, end) };
}

/** @throws InvalidNote for a position outside the diff */
function textPosition(file: FileDiff | undefined, input: PositionInput) {
  const { old_line: before = null, new_line: after = null } = input;
  if ((before === null && after === null) || (!input.old_path && !input.new_path)) throw incomplete();
  if (!file) throw noLine();
  const fileLines = getFileLines(file);
  if (!lineAt(fileLines, before, after)) throw noLine();
  const position = { old_line: before, new_line: after, line_range: getRange(file, fileLines, input) };
  return { position, lines: linesUpTo(fileLines, before, after) };
}

/** @throws InvalidNote */
export function imagePoint(input: Pick<PositionInput, 'width' | 'height' | 'x' | 'y'>) {
  const { width, height, x, y } = input;
  if (width === undefined || height === undefined || x === undefined || y === undefined) throw incomplete();
  if ([width, height, x, y].some((pixels) => !(pixels >= 0 && pixels <= MOST_PIXELS))) throw invalid();
  return { width: Math.round(width), height: Math.round(height), x: Math.round(x), y: Math.round(y) };
}

/** The position of a diff note, and the diff lines displayed with its thread. */
interface CheckedPosition {
  readonly position: Position;
  readonly lines: readonly NoteDiffLine[];
}

/**
 * The position of a diff note, validated against git's diff (discussions-and-notes.md section 6).
 * @throws InvalidNote with the public API's messages; NotFound for a commit that does not exist in git
 */
export async function checkedPosition(
  ctx: Context,
  noteable: Noteable,
  input: PositionInput,
): Promise<CheckedPosition> {
  if (Buffer.byteLength(JSON.stringify(input)) > MOST_BYTES) throw new InvalidNote('position', 'is too long');
  const { container } = noteable;
  await requireRange(ctx, noteable, input);
  const file = await getFile(ctx, container.id, input);
  const text = input.position_type === 'text' ? textPosition(file, input) : null;
  if (!file) throw invalid();
  const { base_sha, start_sha, head_sha } = input;
  const common = { base_sha, start_sha, head_sha, old_path: file.oldPath, new_path: file.newPath };
  if (text) return { position: { ...common, position_type: 'text', ...text.position }, lines: text.lines };
  if (input.position_type === 'image')
    return { position: { ...common, position_type: 'image', ...imagePoint(input) }, lines: [] };
  return { position: { ...common, position_type: 'file' }, lines: [] };
}
