import { queueJob } from '../core/context/jobs.js';

/** Keeps whom and what a long comment mentions, as the user who wrote it saw it. */
export const keepNoteMentions = queueJob<{ note_id: number; user_id: number }>('notes.keep_mentions', {
  category: 'team_planning',
});

/**
 * Finds where the diff notes of a merge request stand in its newest version. `user_id` is who moved a branch; null where
 * nobody did.
 */
export const movePositions = queueJob<{ project_id: number; merge_request_id: number; user_id: number | null }>(
  'notes.move_positions',
  { category: 'code_review_workflow' },
);
