import { out, shape } from '../../core/shape.js';

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

/** Where a commit stands in its history. */
export const commitSequence = shape<{ count: number }>('CommitSequence', {
  count: out.integer((sequence) => sequence.count),
});
