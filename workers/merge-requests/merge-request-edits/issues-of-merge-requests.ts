import {
  closeIssuesOfMerge,
  noteIssuesOf,
} from '../../../shared/merge-requests/merge-request-edits/close-merged-issues.js';
import { closeMergedIssues, noteMergeRequestIssues } from '../../../shared/merge-requests/merge-requests.jobs.js';
import { handler } from '../../core/handler.js';

/** Closes what merge requests close that were merged. */
export const closingOfMergedIssues = handler({ kind: closeMergedIssues, batchSize: 10, handle: closeIssuesOfMerge });

/** Looks through long descriptions and pushed commits for issues. */
export const noteOfMergeRequestIssues = handler({ kind: noteMergeRequestIssues, batchSize: 10, handle: noteIssuesOf });
