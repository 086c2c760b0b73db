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

/** A text in which people are mentioned, and who wrote it at which time. */
export interface MentionToDos {
  source: 'issue' | 'merge_request' | 'epic' | 'note';
  id: number;
  user_id: number;
  at: string;
}

/** Puts a text on the lists of those whom it mentions. Each job tells a bounded number of people. */
export const createMentionToDos = queueJob<MentionToDos>('notes.create_mention_todos', { category: 'team_planning' });

/** Groups that a text mentions, and after which of their members to go on. `addressed` are those addressed directly. */
export interface MemberToDos extends MentionToDos {
  groups: number[];
  addressed: number[];
  after: number;
}

/** Puts a text on the lists of the next members of groups that it mentions; one queued job for the same ones is enough. */
export const createMemberToDos = queueJob<MemberToDos>('notes.create_member_todos', {
  category: 'team_planning',
  policy: 'short',
});
