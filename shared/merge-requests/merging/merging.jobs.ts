import { queueJob } from '../../core/context/jobs.js';

const category = 'code_review_workflow';

/** Finds out whether merge requests can be merged. */
export const checkMergeability = queueJob<{ ids: number[] }>('merge_requests.check_mergeability', {
  category,
  expireInSeconds: 1800,
});

/** Merges what is to be merged once its pipeline succeeded. */
export const mergeWhenReady = queueJob<{ merge_request_id: number }>('merge_requests.merge_when_ready', { category });

/** Writes down a merge whose refs moved and whose transaction was cut off: what its note says. */
export const finishMerge = queueJob<{
  merge_request_id: number;
  user_id: number;
  merged_commit_sha: string;
  merge_commit_sha: string | null;
  squash_commit_sha: string | null;
  should_remove_source_branch: boolean;
}>('merge_requests.finish_merge', { category });

/** Removes the branch of a fork that was merged elsewhere, unless it moved on. */
export const removeSourceBranches = queueJob<{ project_id: number; branch: string; sha: string; user_id: number }>(
  'merge_requests.remove_source_branch',
  { category },
);

/** Brings a source branch onto its target. */
export const rebaseMergeRequest = queueJob<{
  merge_request_id: number;
  user_id: number;
  skip_ci: boolean;
  /** When it was asked for, which tells it from a later rebase. */
  started_at: string;
}>('merge_requests.rebase', { category, expireInSeconds: 1800, retryLimit: 3 });
