import { boolean, withDefault } from '../../core/fields.js';
import { can, operation } from '../../core/operation.js';
import { mergeRequest } from './merge-request.finder.js';
import { mergeRequestPolicy } from './merge-request.policy.js';

/** Read one merge request. */
export const getMergeRequest = operation({
  name: 'getMergeRequest',
  summary: 'Read a merge request',
  subject: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  gate: 'open',
  kind: 'read',
  statements: 18,
  params: {
    include_diverged_commits_count: withDefault(boolean(), false).describe(
      'Count the commits that the target branch has beyond it.',
    ),
    include_rebase_in_progress: withDefault(boolean(), false).describe('Tell whether it is being rebased.'),
  },
  run: (_ctx, found) => Promise.resolve(found),
});
