import { closeIssuesByCommits } from '../../../shared/planning/closing-commits/closing-commit.jobs.js';
import { processCommits } from '../../../shared/planning/closing-commits/process-commits.js';
import { handler } from '../../core/handler.js';

/** Looks through what was pushed to default branches. */
export const closingOfIssues = handler({ kind: closeIssuesByCommits, batchSize: 10, handle: processCommits });
