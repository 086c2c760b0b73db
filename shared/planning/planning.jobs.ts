import { queueJob } from '../core/context/jobs.js';

/**
 * Closes the issues that new commits on a default branch close, and adds cross-references to the issues that they
 * mention, as the user who pushed. `from` is null for a new branch.
 */
export const closeIssuesByCommits = queueJob<{ project_id: number; user_id: number; from: string | null; to: string }>(
  'issues.close_by_commits',
  { category: 'team_planning' },
);

/** Records the mentions in a long description, limited to what its author was allowed to see. */
export const noteIssueMentions = queueJob<{ project_id: number; issue_id: number; user_id: number }>(
  'issues.note_mentions',
  { category: 'team_planning' },
);
