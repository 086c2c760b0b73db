import { boolean, integer, withDefault } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { findMergeRequestById, mergeRequest } from './merge-request.finder.js';
import { mergeRequestPolicy } from './merge-request.policy.js';
import type { MergeRequestRecord } from './merge-request.entity.js';

/** Read one merge request. */
export const getMergeRequest = operation({
  name: 'getMergeRequest',
  summary: 'Read a merge request',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  authentication: 'open',
  kind: 'read',
  statements: 18,
  params: {
    include_diverged_commits_count: withDefault(boolean(), false).describe(
      'If `true`, includes the number of commits on the target branch that the merge request does not contain.',
    ),
    include_rebase_in_progress: withDefault(boolean(), false).describe(
      'If `true`, includes `rebase_in_progress` in the response.',
    ),
  },
  run: (_ctx, found) => Promise.resolve(found),
});

const mergeRequestById: Resource<MergeRequestRecord> = {
  noun: 'MergeRequest',
  params: { id: integer().describe('Global ID of the merge request.') },
  find: (ctx, input: { id: number }) => findMergeRequestById(ctx, input.id),
  about: (record) => aboutProject(record.project),
};

/** Read a merge request by its global id (graphql.md section 5.1). */
export const getMergeRequestById = operation({
  name: 'getMergeRequestById',
  summary: 'Read a merge request by its global id',
  resource: mergeRequestById,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  authentication: 'open',
  kind: 'read',
  statements: 9,
  run: (_ctx, found) => Promise.resolve(found),
});
