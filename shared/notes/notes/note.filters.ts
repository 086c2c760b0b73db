import type { Expression, SqlBool } from 'kysely';
import { constant } from '../../core/database/expressions.js';
import { onNotes } from '../noteables/on-notes.js';

/** Whether the Notes API lists what belongs to threads (README decision 5: no, as the seed says). */
const LISTS_THREADS = false;

/** Of a note, or of what others tell of it: that it is none of those that belong to threads and are not listed. */
export const listedNotes: Expression<SqlBool> = LISTS_THREADS
  ? constant(true)
  : onNotes('n.type', 'is distinct from', constant('DiscussionNote'));

export const ACTIVITY_FILTERS = ['all_notes', 'only_comments', 'only_activity'] as const;

/** That note `n` is told by the service. */
export const isSystem = onNotes.ref('n.system');

/** What people said, what the service told, or both. */
export function ofActivity(filter: (typeof ACTIVITY_FILTERS)[number]): Expression<SqlBool>[] {
  if (filter === 'all_notes') return [];
  return [filter === 'only_activity' ? isSystem : onNotes.not(isSystem)];
}
