import { queueJob } from '../core/context/jobs.js';

/** Stores the mentions in a long comment, limited to what its author was allowed to see. */
export const keepNoteMentions = queueJob<{ note_id: number; user_id: number }>('notes.keep_mentions', {
  category: 'team_planning',
});

/**
 * Recalculates the positions of a merge request's diff notes for its newest version. `user_id` is the user who moved a
 * branch; null if no user did.
 */
export const movePositions = queueJob<{ project_id: number; merge_request_id: number; user_id: number | null }>(
  'notes.move_positions',
  { category: 'code_review_workflow' },
);
