/** `last_activity_at` moves at most once in so many milliseconds: it is indexed, and each move writes the whole row. */
const ACTIVITY_INTERVAL = 60_000;

/** The instant before which the last activity must have been for one at `now` to be written. */
export const activityDue = (now: Date): Date => new Date(now.getTime() - ACTIVITY_INTERVAL);
