import { queueJob } from '../../core/context/jobs.js';

/** Keeps whom and what a long comment mentions, as the user who wrote it saw it. */
export const keepNoteMentions = queueJob<{ note_id: number; user_id: number }>('notes.keep_mentions', {
  category: 'team_planning',
});
