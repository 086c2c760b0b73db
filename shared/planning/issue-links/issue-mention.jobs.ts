import { queueJob } from '../../core/context/jobs.js';

/** Notes whom and what a long description mentions, as the user who wrote it saw it. */
export const noteIssueMentions = queueJob<{ project_id: number; issue_id: number; user_id: number }>(
  'issues.note_mentions',
  { category: 'team_planning' },
);
