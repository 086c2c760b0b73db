import type { z } from 'zod';
import { decimal, integer, object, oneOf, optional, text } from '../../core/operations/fields.js';

const lineEnd = object({
  line_code: optional(text()).describe('Code of the line: `<sha1 of the path>_<old line>_<new line>`.'),
  type: optional(text()).describe('Type of the line: `new` for an added line, `old` for a removed line.'),
  old_line: optional(integer()).describe('Number of the line before the change.'),
  new_line: optional(integer()).describe('Number of the line after the change.'),
});

const position = object({
  base_sha: text().describe('SHA of the commit at which the branches diverged.'),
  start_sha: text().describe('SHA of the head of the target branch, or of the parent of a commit.'),
  head_sha: text().describe('SHA of the head of the source branch, or of the commit.'),
  position_type: oneOf(['text', 'image', 'file']).describe(
    'Type of the position: a line, a point of an image, or the file.',
  ),
  old_path: optional(text()).describe('Path of the file before the change.'),
  new_path: optional(text()).describe('Path of the file after the change.'),
  old_line: optional(integer()).describe('Number of the line before the change; omitted for an added line.'),
  new_line: optional(integer()).describe('Number of the line after the change; omitted for a removed line.'),
  line_range: optional(
    object({ start: lineEnd.describe('First line of the range.'), end: lineEnd.describe('Last line of the range.') }),
  ).describe('Range of lines that the note covers, if there are several.'),
  width: optional(decimal()).describe('Width of the image, in pixels.'),
  height: optional(decimal()).describe('Height of the image, in pixels.'),
  x: optional(decimal()).describe('Distance from the left edge of the image, in pixels.'),
  y: optional(decimal()).describe('Distance from the top edge of the image, in pixels.'),
});

/** The requested position of a diff note. */
export type PositionInput = z.output<typeof position>;
/** One end of the lines that it is to cover. */
export type LineEndInput = z.output<typeof lineEnd>;

export const positionParams = {
  position: optional(position).describe('Position in the diff; creates a diff note.'),
};
