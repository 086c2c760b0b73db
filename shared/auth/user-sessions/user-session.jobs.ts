import { queueJob } from '../../core/context/jobs.js';

/** Removes sessions and OAuth records that are over. */
export const cleanUpSessions = queueJob<Record<string, never>>('user_sessions.tidy', {
  category: 'system_access',
  everySeconds: 3600,
});
