/** One end of the lines that a text position covers. */
export interface LineEnd {
  /** `<sha1 of the path>_<old line>_<new line>`. */
  readonly line_code: string;
  /** `new` for an added line, `old` for a removed one, null for one of both sides. */
  readonly type: 'new' | 'old' | null;
  readonly old_line: number | null;
  readonly new_line: number | null;
}

interface Common {
  /** Full ids: where the branches parted, the target's head, and the source's head. */
  readonly base_sha: string;
  readonly start_sha: string;
  readonly head_sha: string;
  readonly old_path: string;
  readonly new_path: string;
}

/** A line of a diff: an added one has `new_line` alone, a removed one `old_line`, one that stays has both. */
export interface TextPosition extends Common {
  readonly position_type: 'text';
  readonly old_line: number | null;
  readonly new_line: number | null;
  readonly line_range: { readonly start: LineEnd; readonly end: LineEnd } | null;
}

/** A point of a picture, in pixels from its upper left corner. */
interface ImagePosition extends Common {
  readonly position_type: 'image';
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

/** A file as a whole. */
interface FilePosition extends Common {
  readonly position_type: 'file';
}

/** The position of a note in a diff (discussions-and-notes.md section 6), as stored and returned. */
export type Position = TextPosition | ImagePosition | FilePosition;

const presentLineEnd = ({ line_code, type, old_line, new_line }: LineEnd) => ({ line_code, type, old_line, new_line });

/** A position, keys in the order of discussions-and-notes.md section 2: as stored they have none. */
export function presentPosition(position: Position): Record<string, unknown> {
  const { base_sha, start_sha, head_sha, old_path, new_path, position_type } = position;
  const common = { base_sha, start_sha, head_sha, old_path, new_path, position_type };
  if (position.position_type === 'file') return common;
  if (position.position_type === 'image') {
    const { width, height, x, y } = position;
    return { ...common, width, height, x, y };
  }
  const { old_line, new_line, line_range: range } = position;
  const line_range = range ? { start: presentLineEnd(range.start), end: presentLineEnd(range.end) } : null;
  return { ...common, old_line, new_line, line_range };
}
