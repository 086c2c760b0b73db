import { queueJob } from '../../core/context/jobs.js';

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
