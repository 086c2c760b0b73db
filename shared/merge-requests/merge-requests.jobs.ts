import { queueJob } from '../core/context/jobs.js';

interface OfMergeRequest {
  project_id: number;
  merge_request_id: number;
  user_id: number;
}

/** Notes which issues a merge request names, as the user who wrote or pushed it sees them. */
export const noteMergeRequestIssues = queueJob<OfMergeRequest>('merge_requests.note_issues', {
  category: 'code_review_workflow',
});

/** Closes the issues that a merge request closes, for whoever merged it. */
export const closeMergedIssues = queueJob<OfMergeRequest>('merge_requests.close_issues', {
  category: 'code_review_workflow',
});

/**
 * Looks at the merge requests from and into a branch after it moved. `from` is null for a new branch; `user_id` is who
 * moved it, null where nobody did.
 */
export const refreshMergeRequests = queueJob<{
  project_id: number;
  branch: string;
  from: string | null;
  to: string;
  user_id: number | null;
  /** When it moved. */
  moved_at?: string;
}>('merge_requests.refresh', { category: 'code_review_workflow' });

/** Counts the files that a version changes, which nothing but what is shown depends on. */
export const countFilesOfVersions = queueJob<{ version_id: number }>('merge_requests.count_files', {
  category: 'code_review_workflow',
});

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
