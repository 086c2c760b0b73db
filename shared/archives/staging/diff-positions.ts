import { isFullId, isValidFilePath } from '../../git/index.js';
import type { Position } from '../../notes/notes/position.js';
import type { CleanRow } from './clean-row.js';
import { textOf } from './row-checks.js';

const LARGEST = 2 ** 31 - 1;
/** Of a picture. */
const MOST_PIXELS = 1_000_000;
const MOST_PATH = 4096;
const LINE_CODE = /^[0-9a-f]{40}_\d{1,10}_\d{1,10}$/;

const isPath = (path: string) => Buffer.byteLength(path) <= MOST_PATH && isValidFilePath(path);
const lineOf = (value: unknown): number | null =>
  typeof value === 'number' && value >= 1 && value <= LARGEST ? value : null;

function lineEnd(given: CleanRow | null) {
  if (!given || !LINE_CODE.test(textOf(given.line_code))) return null;
  return {
    line_code: textOf(given.line_code),
    type: given.type as 'new' | 'old' | null,
    old_line: lineOf(given.old_line),
    new_line: lineOf(given.new_line),
  };
}

function lineRange(given: CleanRow | null) {
  const start = lineEnd((given?.start ?? null) as CleanRow | null);
  const end = lineEnd((given?.end ?? null) as CleanRow | null);
  return start && end ? { start, end } : null;
}

/** A place on a diff as it is stored, of the cleaned attributes; null for what is none. */
export function diffPosition(given: CleanRow | null): Position | null {
  if (!given) return null;
  const [base_sha, start_sha, head_sha] = [textOf(given.base_sha), textOf(given.start_sha), textOf(given.head_sha)];
  const [old_path, new_path] = [textOf(given.old_path), textOf(given.new_path)];
  if (![base_sha, start_sha, head_sha].every((sha) => isFullId(sha)) || !isPath(old_path) || !isPath(new_path))
    return null;
  const common = { base_sha, start_sha, head_sha, old_path, new_path };
  if (given.position_type === 'file') return { ...common, position_type: 'file' };
  if (given.position_type === 'image') {
    const { width, height, x, y } = given as Record<string, number>;
    const fits = [width, height, x, y].every((one) => typeof one === 'number' && one >= 0 && one <= MOST_PIXELS);
    return fits ? ({ ...common, position_type: 'image', width, height, x, y } as Position) : null;
  }
  const [old_line, new_line] = [lineOf(given.old_line), lineOf(given.new_line)];
  if (given.position_type !== 'text' || (old_line === null && new_line === null)) return null;
  const line_range = lineRange(given.line_range as CleanRow | null);
  return { ...common, position_type: 'text', old_line, new_line, line_range };
}
