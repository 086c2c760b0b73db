import { defineEntity, id, p, relation, reference } from '../../core/database/entity.js';
import { Note } from './note.entity.js';

/** A line of a diff, as of the start of a thread near it. */
export interface NoteDiffLine {
  /** `new` for an added line, `old` for a removed one, null for one of both sides. */
  readonly type: 'new' | 'old' | null;
  /** Null for an added line. */
  readonly old_line: number | null;
  /** Null for a removed line. */
  readonly new_line: number | null;
  /** Without the sign before it. */
  readonly text: string;
}

/** The lines of the diff up to the line of a thread's first note. */
export const NoteDiffLines = defineEntity({
  name: 'NoteDiffLines',
  tableName: 'note_diff_lines',
  properties: {
    id: id(),
    project_id: reference(),
    note_id: relation(Note),
    lines: p.json().$type<readonly NoteDiffLine[]>(),
  },
});
