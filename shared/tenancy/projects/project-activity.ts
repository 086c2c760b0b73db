import { sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';

/** `last_activity_at` moves at most once in so many milliseconds: it is indexed, and each move writes the whole row. */
const ACTIVITY_INTERVAL = 60_000;

/** The instant before which the last activity must have been for one at `now` to be written. */
export const activityDue = (now: Date): Date => new Date(now.getTime() - ACTIVITY_INTERVAL);

/**
 * Moves `last_activity_at` of projects in which something happened. A row that somebody else holds is left as it is:
 * nobody waits for it, and what happens next in the project moves it.
 */
export const moveLastActivity = (projectIds: readonly number[], now: Date): Fragment => sql`
  update projects set last_activity_at = ${now}::timestamptz
   where id in (select a.id from projects a
                 where a.id = any(${[...projectIds]}::bigint[]) and a.last_activity_at <= ${activityDue(now)}::timestamptz
                   for no key update skip locked)`;
