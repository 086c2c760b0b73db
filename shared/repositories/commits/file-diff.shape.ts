import { out, shape } from '../../core/operations/shape.js';
import type { ToldDiff } from './file-diffs.js';

/** A mode as the public API writes it: 0 where there is no file. */
const modeOf = (mode: string): string => (/^0+$/.test(mode) ? '0' : mode);

/** How one file differs (delivery-resources.md section 6). */
export const fileDiffShape = shape<ToldDiff>('FileDiff', {
  old_path: out.text((file) => file.oldPath),
  new_path: out.text((file) => file.newPath),
  a_mode: out.text((file) => modeOf(file.oldMode)),
  b_mode: out.text((file) => modeOf(file.newMode)),
  diff: out.text((file) => file.text),
  new_file: out.boolean((file) => file.kind === 'added'),
  renamed_file: out.boolean((file) => file.kind === 'renamed'),
  deleted_file: out.boolean((file) => file.kind === 'deleted'),
  generated_file: out.boolean((file) => file.generated),
  collapsed: out.boolean((file) => file.collapsed),
  too_large: out.boolean((file) => file.tooLarge),
});
