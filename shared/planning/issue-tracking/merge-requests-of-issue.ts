import { offsetSourceOf } from '../../core/offset-source.js';
import type { OffsetSource } from '../../core/offset-source.js';
import { can, operation } from '../../core/operation.js';
import { issue } from '../issues/issue.finder.js';
import { issuePolicy } from '../issues/issue.policy.js';

/** There are no merge requests yet that could name an issue. */
const none = (): OffsetSource<Record<string, never>> => offsetSourceOf([]);

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
