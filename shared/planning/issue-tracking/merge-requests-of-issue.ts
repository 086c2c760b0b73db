import { offsetSourceOf } from '../../core/offset-source.js';
import type { OffsetSource } from '../../core/offset-source.js';
import { can, operation } from '../../core/operation.js';
import { out, shape } from '../../core/shape.js';
import { issue } from '../issues/issue.finder.js';
import { issuePolicy } from '../issues/issue.policy.js';

/** A merge request that has to do with an issue. */
interface RelatedMergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly title: string;
  readonly state: string;
}

export const relatedMergeRequest = shape<RelatedMergeRequest>('RelatedMergeRequest', {
  id: out.integer((request) => request.id),
  iid: out.integer((request) => request.iid),
  project_id: out.integer((request) => request.project_id),
  title: out.text((request) => request.title),
  state: out.text((request) => request.state),
});

/** There are no merge requests yet that could name an issue. */
const none = (): OffsetSource<RelatedMergeRequest> => offsetSourceOf([]);

const read = { subject: issue, can: can(issuePolicy, 'read_issue'), gate: 'open', kind: 'read' } as const;

/** List the merge requests that name an issue. */
export const listRelatedMergeRequests = operation({
  name: 'listRelatedMergeRequests',
  summary: 'List the merge requests that are related to an issue',
  ...read,
  run: () => Promise.resolve(none()),
});

/** List the merge requests that close an issue when they are merged. */
export const listClosingMergeRequests = operation({
  name: 'listClosingMergeRequests',
  summary: 'List the merge requests that close an issue',
  ...read,
  run: () => Promise.resolve(none()),
});
