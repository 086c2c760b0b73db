import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/** Whether the Notes API lists what belongs to threads (README decision 5: no, as the seed says). */
const LISTS_THREADS = false;

/** Of a note, or of what others tell of it: that it is none of those that belong to threads and are not listed. */
export const listedNotes: Fragment = LISTS_THREADS ? sql`true` : sql`n.type is distinct from 'DiscussionNote'`;

export const ACTIVITY_FILTERS = ['all_notes', 'only_comments', 'only_activity'] as const;

/** What people said, what the service told, or both. */
export function ofActivity(filter: (typeof ACTIVITY_FILTERS)[number]): Fragment[] {
  if (filter === 'all_notes') return [];
  return [filter === 'only_activity' ? sql`n.system` : sql`not n.system`];
}
