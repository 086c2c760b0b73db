import type { z } from 'zod';
import { decimal, integer, object, oneOf, optional, text } from '../../core/operations/fields.js';

const lineEnd = object({
  line_code: optional(text()).describe('Code of the line: `<sha1 of the path>_<old line>_<new line>`.'),
  type: optional(text()).describe('`new` for an added line, `old` for a removed one.'),
  old_line: optional(integer()).describe('Its number before.'),
  new_line: optional(integer()).describe('Its number after.'),
});

const position = object({
  base_sha: text().describe('Where the branches parted.'),
  start_sha: text().describe('Head of the target branch, of a commit its parent.'),
  head_sha: text().describe('Head of the source branch, or the commit.'),
  position_type: oneOf(['text', 'image', 'file']).describe('A line, a point of a picture, or the file.'),
  old_path: optional(text()).describe('Path of the file before.'),
  new_path: optional(text()).describe('Path of the file after.'),
  old_line: optional(integer()).describe('Number of the line before; left out for an added line.'),
  new_line: optional(integer()).describe('Number of the line after; left out for a removed line.'),
  line_range: optional(
    object({ start: lineEnd.describe('The first line.'), end: lineEnd.describe('The last line.') }),
  ).describe('The lines that it covers, where they are several.'),
  width: optional(decimal()).describe('Pixels of the picture.'),
  height: optional(decimal()).describe('Pixels of the picture.'),
  x: optional(decimal()).describe('Pixels from the left.'),
  y: optional(decimal()).describe('Pixels from the top.'),
});

/** Where a diff note is to stand, as it is asked for. */
export type PositionInput = z.output<typeof position>;
/** One end of the lines that it is to cover. */
export type LineEndInput = z.output<typeof lineEnd>;

export const positionParams = {
  position: optional(position).describe('Where in the diff it stands: makes a diff note of it.'),
};
