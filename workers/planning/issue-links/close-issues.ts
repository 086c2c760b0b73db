import { closeIssuesByCommits } from '../../../shared/planning/planning.jobs.js';
import { processCommits } from '../../../shared/planning/issue-links/process-commits.js';
import { handler } from '../../core/handler.js';

/** Looks through what was pushed to default branches. */
export const closingOfIssues = handler({ kind: closeIssuesByCommits, batchSize: 10, handle: processCommits });
