import type { FileDiff } from '../../git/index.js';
import { out, shape } from '../../core/shape.js';
import { isGenerated } from '../../tenancy/languages/own-files.js';

/** A mode as the public API writes it: 0 where there is no file. */
const modeOf = (mode: string): string => (/^0+$/.test(mode) ? '0' : mode);

/** How one file differs (delivery-resources.md section 6). */
export const fileDiffShape = shape<FileDiff>('FileDiff', {
  old_path: out.text((file) => file.oldPath),
  new_path: out.text((file) => file.newPath),
  a_mode: out.text((file) => modeOf(file.oldMode)),
  b_mode: out.text((file) => modeOf(file.newMode)),
  diff: out.text((file) => file.text),
  new_file: out.boolean((file) => file.kind === 'added'),
  renamed_file: out.boolean((file) => file.kind === 'renamed'),
  deleted_file: out.boolean((file) => file.kind === 'deleted'),
  generated_file: out.boolean((file) => isGenerated(file.newPath)),
  collapsed: out.boolean((file) => file.collapsed),
  too_large: out.boolean((file) => file.tooLarge),
});

/** A merge request as a commit's list names it; there are none yet. */
export interface MergeRequestOfCommit {
  id: number;
  iid: number;
  project_id: number;
  title: string;
  state: string;
  web_url: string;
}

export const mergeRequestOfCommit = shape<MergeRequestOfCommit>('MergeRequestOfCommit', {
  id: out.integer((request) => request.id),
  iid: out.integer((request) => request.iid),
  project_id: out.integer((request) => request.project_id),
  title: out.text((request) => request.title),
  state: out.text((request) => request.state, { enum: ['opened', 'closed', 'locked', 'merged'] }),
  web_url: out.text((request) => request.web_url),
});
