import type { LineEnd, Position } from './position.js';

const told = ({ line_code, type, old_line, new_line }: LineEnd) => ({ line_code, type, old_line, new_line });

/** A position, keys in the order of discussions-and-notes.md section 2: as stored they have none. */
export function toldPosition(position: Position): Record<string, unknown> {
  const { base_sha, start_sha, head_sha, old_path, new_path, position_type } = position;
  const common = { base_sha, start_sha, head_sha, old_path, new_path, position_type };
  if (position.position_type === 'file') return common;
  if (position.position_type === 'image') {
    const { width, height, x, y } = position;
    return { ...common, width, height, x, y };
  }
  const { old_line, new_line, line_range: range } = position;
  const line_range = range ? { start: told(range.start), end: told(range.end) } : null;
  return { ...common, old_line, new_line, line_range };
}
