import { queueJob } from '../core/context/jobs.js';

/**
 * Closes the issues that new commits of a default branch close, and notes those that they mention, for whoever pushed.
 * `from` is null for a new branch.
 */
export const closeIssuesByCommits = queueJob<{ project_id: number; user_id: number; from: string | null; to: string }>(
  'issues.close_by_commits',
  { category: 'team_planning' },
);

/** Notes whom and what a long description mentions, as the user who wrote it saw it. */
export const noteIssueMentions = queueJob<{ project_id: number; issue_id: number; user_id: number }>(
  'issues.note_mentions',
  { category: 'team_planning' },
);
