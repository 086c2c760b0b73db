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

/** Closes the issues that a merge request closes, as the user who merged it. */
export const closeMergedIssues = queueJob<OfMergeRequest>('merge_requests.close_issues', {
  category: 'code_review_workflow',
});

/**
 * Refreshes the merge requests from and into a branch after it moved. `from` is null for a new branch; `user_id` is the
 * user who moved it, null if no user did.
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

/** Counts the changed files of a version; only the display depends on the result. */
export const countFilesOfVersions = queueJob<{ version_id: number }>('merge_requests.count_files', {
  category: 'code_review_workflow',
});

const category = 'code_review_workflow';

/** Finds out whether merge requests can be merged. */
export const checkMergeability = queueJob<{ ids: number[] }>('merge_requests.check_mergeability', {
  category,
  expireInSeconds: 1800,
});

/** Merges a merge request with auto-merge once its pipeline succeeded. */
export const mergeWhenReady = queueJob<{ merge_request_id: number }>('merge_requests.merge_when_ready', { category });

/** Completes the record of a merge whose refs moved but whose transaction was interrupted, from the payload. */
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

/** Rebases a source branch onto its target. */
export const rebaseMergeRequest = queueJob<{
  merge_request_id: number;
  user_id: number;
  skip_ci: boolean;
  /** The time of the request, which distinguishes it from a later rebase. */
  started_at: string;
}>('merge_requests.rebase', { category, expireInSeconds: 1800, retryLimit: 3 });
