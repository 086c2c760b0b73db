import { queueJob } from '../../core/context/jobs.js';

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
